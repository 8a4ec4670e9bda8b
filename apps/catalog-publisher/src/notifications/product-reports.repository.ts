import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { readProductReport, type StoredReport } from './product-report.ts';

/** A report from Kafka. */
export interface NewReport {
  readonly laneId: string;
  /** The notification's key: equal for a repeat. */
  readonly dedupKey: string;
  readonly operationId: string;
  readonly eventType: string;
  /** `data`, byte for byte. */
  readonly data: Buffer;
}

/** Stored reports of one lane. */
export interface LaneReports {
  readonly reports: readonly StoredReport[];
  /** Id of the newest row, readable as a report or not; null for none. */
  readonly newestReportId: string | null;
}

const COLUMNS: readonly Column<NewReport>[] = [
  ['lane_id', 'bigint', ({ laneId }) => laneId],
  ['dedup_key', 'text', ({ dedupKey }) => dedupKey],
  ['operation_id', 'text', ({ operationId }) => operationId],
  ['event_type', 'text', ({ eventType }) => eventType],
  ['data', 'bytea', ({ data }) => data],
];

/**
 * The table `product_reports`: reports that have not concluded a record yet. Its statements look up one lane after the
 * other: while statistics are older than a load, PostgreSQL takes most reports for those of any few lanes, and reads
 * the whole table.
 */
@Injectable()
export class ProductReportsRepository {
  /** Stores new reports; skips repeats. */
  async insert(tx: Tx, reports: readonly NewReport[]): Promise<void> {
    const sorted = reports.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    await insertRows(tx, 'product_reports', COLUMNS, sorted, 'ON CONFLICT (dedup_key) DO NOTHING');
  }

  /** The reports of each lane, oldest first; returns an entry for every lane. */
  async load(db: Queryable, laneIds: readonly string[]): Promise<Map<string, LaneReports>> {
    const { rows } = await db.query<ReportRow>(
      `SELECT report.* FROM unnest($1::bigint[]) AS lane (id) CROSS JOIN LATERAL (
         SELECT id, lane_id AS "laneId", operation_id AS "operationId", data FROM product_reports
         WHERE lane_id = lane.id ORDER BY id
       ) AS report`,
      [laneIds],
    );
    const byLane = Map.groupBy(rows, ({ laneId }) => laneId);
    return new Map(laneIds.map((id) => [id, laneReports(byLane.get(id) ?? [])]));
  }

  /** Deletes the reports of lanes up to one each. A later repeat belongs to a concluded operation. */
  async delete(tx: Tx, lanes: readonly { readonly laneId: string; readonly upToId: string }[]): Promise<void> {
    if (lanes.length === 0) return;
    await tx.query(
      `DELETE FROM product_reports WHERE id = ANY (ARRAY(
         SELECT report.id FROM unnest($1::bigint[], $2::bigint[]) AS done (lane_id, up_to) CROSS JOIN LATERAL (
           SELECT id FROM product_reports WHERE lane_id = done.lane_id AND id <= done.up_to ORDER BY id
         ) AS report
       ))`,
      [lanes.map(({ laneId }) => laneId), lanes.map(({ upToId }) => upToId)],
    );
  }
}

type ReportRow = Pick<NewReport, 'laneId' | 'operationId' | 'data'> & { readonly id: string };

function laneReports(rows: readonly ReportRow[]): LaneReports {
  const reports = rows.flatMap(({ id, operationId, data }) => {
    const report = readProductReport(data);
    return report === null ? [] : [{ id, operationId, report }];
  });
  return { reports, newestReportId: rows.at(-1)?.id ?? null };
}
