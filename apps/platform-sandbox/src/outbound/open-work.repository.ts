import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

/**
 * Work that is accepted and not done: operations the core has not taken, notifications that are not delivered or given
 * up.
 */
export interface OpenWork {
  readonly waitingOperations: number;
  readonly pendingDeliveries: number;
}

@Injectable()
export class OpenWorkRepository {
  /** Of one operation, or of all. */
  async count(db: Queryable, operationId: string | null): Promise<OpenWork> {
    // In one statement: the core writes deliveries in the transaction that ends an operation, so none can slip through.
    const { rows } = await db.query<OpenWork>(
      `SELECT
         (SELECT count(*)::int FROM operations
          WHERE state = 'waiting' AND ($1::text IS NULL OR operation_id = $1)) AS "waitingOperations",
         (SELECT count(*)::int FROM deliveries
          WHERE state = 'pending' AND ($1::text IS NULL OR operation_id = $1)) AS "pendingDeliveries"`,
      [operationId],
    );
    return rows[0] as OpenWork;
  }
}
