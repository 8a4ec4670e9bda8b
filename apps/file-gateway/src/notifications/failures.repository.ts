import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { parseBytes } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import type { PlatformFailure } from '../platform/platform-failure.ts';
import { IsNull, Not } from 'typeorm';
import { PlatformFailureEntity } from './platform-failure.entity.ts';
import { FileOperationEntity } from './file-operation.entity.ts';
import type { ReportedFailure } from './read-order-notification.ts';

export interface NewFailure extends ReportedFailure {
  readonly dedupKey: string;
  readonly tenant: string;
}

/** Refusals that may concern a lane's command. */
export interface LaneFailures {
  readonly failures: readonly PlatformFailure[];
  /** Id of the newest stored failure of any command; `0` without failures. */
  readonly newestId: string;
}

/** Longer than any deadline: no command waits for these any more. */
const FAILURES_KEPT_MS = 14 * 86_400_000;
const OPERATIONS_KEPT_MS = 30 * 86_400_000;
export const OLDEST_FAILURE = oldest('platform_failures', 'received_at', FAILURES_KEPT_MS);
export const OLDEST_OPERATION = oldest('file_operations', 'started_at', OPERATIONS_KEPT_MS);

const COLUMNS: readonly Column<NewFailure>[] = [
  ['dedup_key', 'text', ({ dedupKey }) => dedupKey],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['operation_id', 'text', ({ operationId }) => operationId],
  ['event_type', 'text', ({ eventType }) => eventType],
  ['lane_kind', 'text', ({ about }) => about?.kind ?? null],
  ['lane_identity', 'text', ({ about }) => about?.identity ?? null],
  ['error', 'bytea', ({ error }) => error],
];

const LANE_IDS_OF = `
  SELECT DISTINCT o.lane_id AS "laneId" FROM unnest($1::text[], $2::text[]) AS f (tenant, operation_id)
  JOIN file_operations AS o ON (o.tenant, o.operation_id) = (f.tenant, f.operation_id)`;

/** Failures of the command's operations, and failures that name its entity. */
const OF_COMMAND = `
  SELECT f.id, f.operation_id AS "operationId", f.event_type AS "eventType", f.error, f.received_at AS "receivedAt",
    EXISTS (SELECT 1 FROM file_operations AS o
      WHERE o.tenant = f.tenant AND o.operation_id = f.operation_id AND o.command_row_id <> $5) AS "isOfAnother"
  FROM platform_failures AS f
  WHERE f.tenant = $1 AND (f.operation_id = ANY ($2::text[]) OR (f.lane_kind = $3 AND f.lane_identity = $4))
  ORDER BY f.id`;

type FailureRow = Omit<PlatformFailure, 'error' | 'receivedAtMs'> & { error: Buffer | null; receivedAt: Date };

/** The tables `platform_failures` and `file_operations`. */
@Injectable()
export class FailuresRepository {
  constructor(private readonly database: Database) {}

  /** Stores new failures and skips repeats. */
  async insert(tx: Tx, failures: readonly NewFailure[]): Promise<void> {
    // Replicas that insert the same keys in different orders deadlock.
    const sorted = failures.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    await insertRows(tx, 'platform_failures', COLUMNS, sorted, 'ON CONFLICT (dedup_key) DO NOTHING');
  }

  /** Ids of the lanes that started the failures' operations. */
  async laneIdsOf(tx: Tx, failures: readonly NewFailure[]): Promise<string[]> {
    const { rows } = await tx.query<{ laneId: string }>(LANE_IDS_OF, [
      failures.map(({ tenant }) => tenant),
      failures.map(({ operationId }) => operationId),
    ]);
    return rows.map(({ laneId }) => laneId);
  }

  /** Failures of a command's operations, and failures that name its entity. */
  async ofCommand(about: {
    readonly tenant: string;
    readonly lane: { readonly kind: string; readonly identity: string };
    readonly commandRowId: string;
    readonly operationIds: readonly string[];
  }): Promise<LaneFailures> {
    const { tenant, lane, commandRowId, operationIds } = about;
    // Queried first: a failure stored in between is newer than this id, so it counts as an answer to an attempt
    // made now.
    const newest = await this.database.query<{ id: string }>(
      `SELECT COALESCE(max(id), 0)::text AS id FROM platform_failures`,
    );
    const { rows } = await this.database.query<FailureRow>(OF_COMMAND, [
      tenant,
      operationIds,
      lane.kind,
      lane.identity,
      commandRowId,
    ]);
    return { failures: rows.map(failureOf), newestId: newest.rows[0]?.id ?? '0' };
  }

  /** Stores the command of each operation. */
  async rememberOperations(
    tx: Tx,
    { tenant, laneId, commandRowId }: { tenant: string; laneId: string; commandRowId: string },
    operationIds: readonly string[],
  ): Promise<void> {
    if (operationIds.length === 0) return;
    await this.database
      .repository(FileOperationEntity, tx)
      .createQueryBuilder()
      .insert()
      .values(operationIds.toSorted().map((operationId) => ({ tenant, operationId, commandRowId, laneId })))
      .orIgnore()
      .updateEntity(false)
      .execute();
  }

  /** Erases the platform's errors about an entity, which may repeat sent data; returns their number. */
  async eraseErrors(
    tx: Tx,
    tenant: string,
    lane: { readonly kind: string; readonly identity: string },
  ): Promise<number> {
    const where = { tenant, laneKind: lane.kind, laneIdentity: lane.identity, error: Not(IsNull()) };
    const { affected } = await this.database.repository(PlatformFailureEntity, tx).update(where, { error: null });
    return affected ?? 0;
  }

  /** Deletes failures and operations that no command waits for any more. */
  async deleteOld(): Promise<void> {
    const isOver = "< clock_timestamp() - $1 * interval '1 millisecond'";
    await deleteInSteps(this.database, 'platform_failures', `received_at ${isOver}`, [FAILURES_KEPT_MS]);
    await deleteInSteps(this.database, 'file_operations', `started_at ${isOver}`, [OPERATIONS_KEPT_MS]);
  }
}

function failureOf({ error, receivedAt, ...failure }: FailureRow): PlatformFailure {
  return { ...failure, error: parseBytes(error) ?? null, receivedAtMs: receivedAt.getTime() };
}

function oldest(table: string, column: string, keptMs: number): string {
  return `SELECT min(${column}) + ${keptMs} * interval '1 millisecond' AS due FROM ${table}`;
}
