import { Injectable } from '@nestjs/common';
import type { Queryable } from './queryable.ts';

// In the order in which the workers come to them, so that emptying waits for them and they for it, and neither for
// both.
const TABLES = [
  'operations',
  'brands',
  'categories',
  'products',
  'skus',
  'loose_records',
  'orders',
  'files',
  'file_pieces',
  'rejections',
  'webhooks',
  'faults',
  'deliveries',
  'delivery_attempts',
  'tenants',
  'requests',
  'switches',
];

/** The state as a whole. */
@Injectable()
export class SandboxStateRepository {
  /**
   * Empties every table. Numbers and sequences go on, so that nothing that is made afterwards is taken for something
   * older.
   */
  async empty(db: Queryable): Promise<void> {
    await db.query(`TRUNCATE ${TABLES.join(', ')}`);
  }

  /** Which start of the sandbox on this schema this is; never the same twice. */
  async nextBoot(db: Queryable): Promise<number> {
    const { rows } = await db.query<{ boot: string }>(`SELECT nextval('boots') AS boot`);
    return Number(rows[0]?.boot);
  }
}
