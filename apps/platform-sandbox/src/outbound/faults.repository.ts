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
   * Counts one match of each. Returns the counts before it, by id; those of faults that are gone are missing. Nobody
   * else matches or strikes them until the transaction ends.
   */
  async match(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, FaultCount>> {
    const { rows } = await db.query<FaultCount & { id: string; matched: number; struck: number }>(
      // Locked in one order, so that nobody holds what another waits for and the other way round.
      `WITH locked AS (
         SELECT id, matched, struck FROM faults WHERE id = ANY($1::bigint[]) ORDER BY id FOR UPDATE
       )
       UPDATE faults f SET matched = locked.matched + 1 FROM locked WHERE f.id = locked.id
       RETURNING f.id, locked.matched, locked.struck`,
      [ids],
    );
    return new Map(rows.map(({ id, matched, struck }) => [id, { matched, struck }]));
  }

  /** Counts one strike of each. */
  async strike(db: Queryable, ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await db.query('UPDATE faults SET struck = struck + 1 WHERE id = ANY($1::bigint[])', [ids]);
  }

  async removeAll(db: Queryable): Promise<void> {
    await db.query('DELETE FROM faults');
  }
}
