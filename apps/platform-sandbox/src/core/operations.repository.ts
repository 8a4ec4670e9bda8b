import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Queryable } from '../values/column-values.adapter.ts';
import type { CoreDirective, OperationEntity } from './operation.entity.ts';

export type Operation = Pick<
  OperationEntity,
  'seq' | 'operationId' | 'contractAccountId' | 'kind' | 'payload' | 'directive'
>;

export interface NewOperation extends Omit<Operation, 'seq' | 'payload'> {
  /** JSON texts, one per item; the core takes them in this order. */
  readonly payloads: readonly string[];
  /** Delay before the core takes them; default 0. */
  readonly delayMs?: number;
}

export interface OperationEnd {
  readonly seq: string;
  readonly state: 'applied' | 'silent' | 'crashed';
}

/**
 * Milliseconds until the next waiting operation is due, except those in $1. One statement reads the clock and the
 * rows: an operation that falls due between a claim and this statement counts as due now.
 */
const NEXT_DUE_BUT = `
  SELECT CASE WHEN EXISTS (
      SELECT FROM operations WHERE state = 'waiting' AND due_at <= clock_timestamp() AND seq <> ALL ($1::bigint[])
    ) THEN 0
    ELSE (SELECT ceil(extract(epoch FROM min(due_at) - clock_timestamp()) * 1000) FROM operations
          WHERE state = 'waiting' AND seq <> ALL ($1::bigint[]))
    END::float8 AS ms`;

/** The core's queue: each statement handles all items at once. */
@Injectable()
export class OperationsRepository {
  constructor(private readonly database: Database) {}

  async add(
    { operationId, contractAccountId, kind, payloads, directive, delayMs = 0 }: NewOperation,
    tx?: Tx,
  ): Promise<void> {
    const db: Queryable = tx ?? this.database;
    await db.query(
      `INSERT INTO operations (operation_id, contract_account_id, kind, directive, due_at, payload)
       SELECT $1, $2, $3, $4, now() + $6 * interval '1 ms', payload FROM unnest($5::text[]) WITH ORDINALITY AS item (payload, position) ORDER BY position`,
      [operationId, contractAccountId, kind, JSON.stringify(directive), payloads, delayMs],
    );
  }

  /** The oldest due operations, at most `limit`, locked until the transaction ends. */
  async claim(limit: number, tx: Tx): Promise<Operation[]> {
    const { rows } = await tx.query<Omit<Operation, 'directive'> & { directive: string }>(
      `SELECT seq, operation_id AS "operationId", contract_account_id AS "contractAccountId", kind, payload, directive
       FROM operations WHERE state = 'waiting' AND due_at <= now() ORDER BY seq LIMIT $1 FOR UPDATE`,
      [limit],
    );
    return rows.map((row) => ({ ...row, directive: JSON.parse(row.directive) as CoreDirective }));
  }

  /** Milliseconds until the next one is due, 0 if one is due now; undefined if none waits. */
  async nextDueInMs(): Promise<number | undefined> {
    const { rows } = await this.database.query<{ ms: number | null }>(NEXT_DUE_BUT, [[]]);
    return rows[0]?.ms ?? undefined;
  }

  /**
   * Marks operations as finished. Returns the milliseconds until the next waiting one is due, 0 if one is due now;
   * undefined if none waits.
   */
  async end(ends: readonly OperationEnd[], tx?: Tx): Promise<number | undefined> {
    const db: Queryable = tx ?? this.database;
    const { rows } = await db.query<{ ms: number | null }>(
      `WITH ended AS (
         UPDATE operations o SET state = e.state, ended_at = now()
         FROM unnest($1::bigint[], $2::text[]) AS e (seq, state) WHERE o.seq = e.seq
       )
       ${NEXT_DUE_BUT}`,
      [ends.map(({ seq }) => seq), ends.map(({ state }) => state)],
    );
    return rows[0]?.ms ?? undefined;
  }
}
