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

  /** The counts before this match, locked until the transaction ends; undefined when the fault is gone. */
  async lockCount(db: Queryable, id: string): Promise<FaultCount | undefined> {
    const { rows } = await db.query<FaultCount & { matched: number; struck: number }>(
      'SELECT matched, struck FROM faults WHERE id = $1 FOR UPDATE',
      [id],
    );
    return rows[0];
  }

  async count(db: Queryable, id: string, struck: boolean): Promise<void> {
    await db.query('UPDATE faults SET matched = matched + 1, struck = struck + $2 WHERE id = $1', [id, struck ? 1 : 0]);
  }

  async removeAll(db: Queryable): Promise<void> {
    await db.query('DELETE FROM faults');
  }
}
