import { multiRow } from '@gondola/messaging/multi-row';
import type { Queryable } from '@gondola/messaging/queryable';
import type { Tx } from '@gondola/service-kit/database';
import type { StoredReport } from '../domain/decide-product.ts';
import { readProductReport } from '../domain/product-report.ts';

/** A report as it came by Kafka. */
export interface NewReport {
  readonly laneId: string;
  /** The notification's key: equal for a repeat. */
  readonly dedupKey: string;
  readonly operationId: string;
  readonly eventType: string;
  /** `data`, byte for byte. */
  readonly data: Buffer;
}

const TYPES = ['bigint', 'text', 'text', 'text', 'bytea'] as const;

/** Reports that no record has been ended by yet. */
export class ProductReportsRepository {
  /** Stores what is new; repeats are left out. */
  async insert(tx: Tx, reports: readonly NewReport[]): Promise<void> {
    const sorted = reports.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    for (const { tuples, values } of multiRow(sorted, TYPES, rowOf)) {
      await tx.query(
        `INSERT INTO product_reports (lane_id, dedup_key, operation_id, event_type, data) VALUES ${tuples}
         ON CONFLICT (dedup_key) DO NOTHING`,
        values,
      );
    }
  }

  /** The reports of each lane, oldest first; every lane asked for has an entry. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, StoredReport[]>> {
    const { rows } = await db.query<{ id: string; lane_id: string; operation_id: string; data: Buffer }>(
      'SELECT id, lane_id, operation_id, data FROM product_reports WHERE lane_id = ANY ($1::bigint[]) ORDER BY id',
      [laneIds],
    );
    const byLane = new Map(laneIds.map((id): [string, StoredReport[]] => [id, []]));
    for (const { id, lane_id, operation_id, data } of rows) {
      const report = readProductReport(data);
      if (report !== null) byLane.get(lane_id)?.push({ id, operationId: operation_id, report });
    }
    return byLane;
  }

  /** Forgets the reports of a lane up to one. A repeat that comes later is of an operation that has ended. */
  async forget(tx: Tx, laneId: string, upToId: string): Promise<void> {
    await tx.query('DELETE FROM product_reports WHERE lane_id = $1 AND id <= $2', [laneId, upToId]);
  }
}

function rowOf({ laneId, dedupKey, operationId, eventType, data }: NewReport): readonly unknown[] {
  return [laneId, dedupKey, operationId, eventType, data];
}
