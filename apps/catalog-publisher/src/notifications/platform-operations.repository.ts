import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import type { Queryable } from '@gondola/lanes/store/queryable';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import { Injectable } from '@nestjs/common';
import { isCatalogKind } from '../records/catalog-kinds.ts';
import { objectFromText } from '../records/stored-text.ts';
import type { OperationReport } from './operation-report.ts';

/** A notification without a product report, as it came by Kafka. */
export interface NewOperationReport extends Omit<OperationReport, 'id'> {
  readonly tenant: string;
  /** The notification's key: equal for a repeat. */
  readonly dedupKey: string;
}

interface ReportRow extends Pick<OperationReport, 'id' | 'operationId' | 'failed'> {
  readonly kind: string | null;
  readonly externalReference: string | null;
  readonly error: string | null;
}

const REPORT = 'id, operation_id AS "operationId", kind, external_reference AS "externalReference", failed, error';
const REPORT_COLUMNS: readonly Column<NewOperationReport>[] = [
  ['dedup_key', 'text', ({ dedupKey }) => dedupKey],
  ['tenant', 'text', ({ tenant }) => tenant],
  ['operation_id', 'text', ({ operationId }) => operationId],
  ['kind', 'text', ({ entity }) => entity?.kind ?? null],
  ['external_reference', 'text', ({ entity }) => entity?.externalReference ?? null],
  ['failed', 'boolean', ({ failed }) => failed],
  ['error', 'text', ({ error }) => (error === null ? null : stringifyWithDigits(error))],
];

const KEPT = "interval '7 days'";
export const OLDEST_OPERATION = `SELECT min(sent_at) + ${KEPT} AS due FROM operations`;
export const OLDEST_REPORT = `SELECT min(received_at) + ${KEPT} AS due FROM operation_reports`;

/** The platform's operations with the lanes of their records, and the reports about operations and entities. */
@Injectable()
export class PlatformOperationsRepository {
  constructor(private readonly database: Database) {}

  async remember(tenant: string, sent: readonly { operationId: string; laneId: string }[]): Promise<void> {
    if (sent.length === 0) return;
    await this.database.query(
      `INSERT INTO operations (tenant, operation_id, lane_id)
       SELECT $1, operation_id, lane_id FROM unnest($2::text[], $3::bigint[]) AS sent (operation_id, lane_id)
       ORDER BY operation_id, lane_id ON CONFLICT DO NOTHING`,
      [tenant, sent.map(({ operationId }) => operationId), sent.map(({ laneId }) => laneId)],
    );
  }

  /** Ids of the lanes whose records were sent in operations, by `operationText`. */
  async laneIdsOf(
    db: Queryable,
    tenants: readonly string[],
    operationIds: readonly string[],
  ): Promise<Map<string, string[]>> {
    const { rows } = await db.query<{ tenant: string; operationId: string; laneId: string }>(
      `SELECT o.tenant, o.operation_id AS "operationId", o.lane_id AS "laneId" FROM unnest($1::text[], $2::text[]) AS reported (tenant, operation_id)
       JOIN operations AS o USING (tenant, operation_id)`,
      [tenants, operationIds],
    );
    const byOperation = Map.groupBy(rows, ({ tenant, operationId }) => operationText(tenant, operationId));
    return new Map([...byOperation].map(([operation, its]) => [operation, its.map(({ laneId }) => laneId)]));
  }

  /** Stores new reports; skips repeats. */
  async insertReports(tx: Tx, reports: readonly NewOperationReport[]): Promise<void> {
    const sorted = reports.toSorted((one, other) => (one.dedupKey < other.dedupKey ? -1 : 1));
    await insertRows(tx, 'operation_reports', REPORT_COLUMNS, sorted, 'ON CONFLICT (dedup_key) DO NOTHING');
  }

  /** Reports about operations and about entities, oldest first. */
  async reports(
    db: Queryable,
    tenant: string,
    about: { operationIds: readonly string[]; kind: string; externalReferences: readonly string[] },
  ): Promise<OperationReport[]> {
    const { rows } = await db.query<ReportRow>(
      `SELECT ${REPORT} FROM operation_reports
       WHERE tenant = $1 AND operation_id = ANY ($2::text[])
       UNION
       SELECT ${REPORT} FROM operation_reports
       WHERE tenant = $1 AND kind = $3 AND external_reference = ANY ($4::text[])
       ORDER BY id`,
      [tenant, about.operationIds, about.kind, about.externalReferences],
    );
    return rows.map(reportOf);
  }

  /** Deletes operations and reports that no open record can wait for. */
  async sweep(): Promise<void> {
    const isOld = `< clock_timestamp() - ${KEPT}`;
    await deleteInSteps(this.database, 'operations', `sent_at ${isOld}`, []);
    await deleteInSteps(this.database, 'operation_reports', `received_at ${isOld}`, []);
  }
}

/** Key of `laneIdsOf` for an operation. */
export function operationText(tenant: string, operationId: string): string {
  return `${tenant}/${operationId}`;
}

function reportOf({ kind, externalReference, error, ...row }: ReportRow): OperationReport {
  const isNamed = kind !== null && isCatalogKind(kind) && externalReference !== null;
  return {
    ...row,
    entity: isNamed ? { kind, externalReference } : null,
    error: error === null ? null : objectFromText<JsonRecord>(error),
  };
}
