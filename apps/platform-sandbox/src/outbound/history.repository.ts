import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

/** Removes what has ended, the oldest first; what still waits is never touched. */
@Injectable()
export class HistoryRepository {
  async forgetOperations(db: Queryable, kept: number): Promise<void> {
    await db.query(
      `DELETE FROM operations WHERE state <> 'waiting' AND seq < (
         SELECT seq FROM operations WHERE state <> 'waiting' ORDER BY seq DESC OFFSET $1 - 1 LIMIT 1
       )`,
      [kept],
    );
  }

  async forgetRejections(db: Queryable, kept: number): Promise<void> {
    await db.query(
      'DELETE FROM rejections WHERE id < (SELECT id FROM rejections ORDER BY id DESC OFFSET $1 - 1 LIMIT 1)',
      [kept],
    );
  }

  /** So many dead letters, and so many others, each with its attempts. */
  async forgetDeliveries(tx: Tx, kept: number): Promise<void> {
    // In the order in which a reset locks them.
    await tx.query('LOCK TABLE deliveries, delivery_attempts IN ROW EXCLUSIVE MODE');
    for (const states of [['delivered', 'lost'], ['dead']]) {
      await tx.query(
        `WITH gone AS (
           DELETE FROM deliveries WHERE state = ANY($1) AND id < (
             SELECT id FROM deliveries WHERE state = ANY($1) ORDER BY id DESC OFFSET $2 - 1 LIMIT 1
           ) RETURNING id
         )
         DELETE FROM delivery_attempts a USING gone WHERE a.delivery_id = gone.id`,
        [states, kept],
      );
    }
  }
}
