import { Injectable } from '@nestjs/common';
import type { Fault, FaultCount } from '../domain/faults/fault.ts';
import type { Queryable } from './queryable.ts';

export interface StoredFault {
  readonly id: string;
  readonly fault: Fault;
}

@Injectable()
export class FaultsRepository {
  async add(db: Queryable, fault: Fault): Promise<StoredFault> {
    const { rows } = await db.query<StoredFault>(`INSERT INTO faults (fault) VALUES ($1) RETURNING id, fault`, [
      JSON.stringify(fault),
    ]);
    return rows[0] as StoredFault;
  }

  async all(db: Queryable): Promise<StoredFault[]> {
    const { rows } = await db.query<StoredFault>('SELECT id, fault FROM faults ORDER BY id');
    return rows;
  }

  /**
   * The counts before this match, by id, locked until the transaction ends; those of faults that are gone are missing.
   */
  async lockCounts(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, FaultCount>> {
    const { rows } = await db.query<FaultCount & { id: string; matched: number; struck: number }>(
      // In one order, so that nobody holds what another waits for and the other way round.
      'SELECT id, matched, struck FROM faults WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE',
      [ids],
    );
    return new Map(rows.map(({ id, matched, struck }) => [id, { matched, struck }]));
  }

  /** Counts one match of each, and one strike of those that struck. */
  async count(db: Queryable, matched: readonly string[], struck: readonly string[]): Promise<void> {
    await db.query(
      'UPDATE faults SET matched = matched + 1, struck = struck + (id = ANY($2::bigint[]))::int WHERE id = ANY($1::bigint[])',
      [matched, struck],
    );
  }

  async removeAll(db: Queryable): Promise<void> {
    await db.query('DELETE FROM faults');
  }
}
