import type { ClaimedLane, LaneKey } from '@gondola/lanes/lanes/lanes';
import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';

type AwaitedKind = AwaitedReference['kind'];

const WAITING = 'SELECT DISTINCT waiting_kind AS kind, waiting_reference AS identity FROM reference_waits';
const NAMED = 'tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])';

/** Lanes whose awaited reference is known: a brand or category in the shop, a published SKU. */
const DUE_REFERENCES = `
  ${WAITING} JOIN catalog_references USING (tenant, kind, external_reference) WHERE ${NAMED} AND is_known`;
const DUE_SKUS = `
  ${WAITING} JOIN skus USING (tenant, external_reference) WHERE ${NAMED} AND snapshot IS NOT NULL`;

/** $1 how many. */
const OVERDUE_SKUS = `
  SELECT DISTINCT tenant, external_reference AS "externalReference"
  FROM reference_waits JOIN skus USING (tenant, external_reference)
  WHERE kind = 'sku' AND snapshot IS NOT NULL LIMIT $1`;

/** The table `reference_waits`: the references that each lane waits for. */
@Injectable()
export class ReferenceWaitsRepository {
  /** Replaces the awaited references of each lane. */
  async replace(
    tx: Tx,
    waiting: readonly { readonly lane: ClaimedLane; readonly awaited: readonly AwaitedReference[] }[],
  ): Promise<void> {
    if (waiting.length === 0) return;
    await this.clear(
      tx,
      waiting.map(({ lane }) => lane.id),
    );
    const rows = waiting.flatMap(({ lane, awaited }) => awaited.map((each) => ({ lane, ...each })));
    await tx.query(
      `INSERT INTO reference_waits (lane_id, tenant, kind, external_reference, waiting_kind, waiting_reference)
       SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])`,
      [
        rows.map(({ lane }) => lane.id),
        rows.map(({ lane }) => lane.tenant),
        rows.map(({ kind }) => kind),
        rows.map(({ externalReference }) => externalReference),
        rows.map(({ lane }) => lane.kind),
        rows.map(({ lane }) => lane.identity),
      ],
    );
  }

  /** The waits of a lane become those of another one of its kind. */
  async move(
    tx: Tx,
    moves: readonly { readonly from: string; readonly to: string; readonly identity: string }[],
  ): Promise<void> {
    const columns = [moves.map(({ from }) => from), moves.map(({ to }) => to), moves.map(({ identity }) => identity)];
    await tx.query(
      `INSERT INTO reference_waits (lane_id, tenant, kind, external_reference, waiting_kind, waiting_reference)
       SELECT DISTINCT to_lane, tenant, kind, external_reference, waiting_kind, to_identity
       FROM reference_waits JOIN unnest($1::bigint[], $2::bigint[], $3::text[]) AS k (from_lane, to_lane, to_identity)
         ON lane_id = from_lane
       ON CONFLICT DO NOTHING`,
      columns,
    );
    await this.clear(tx, columns[0]!);
  }

  async clear(tx: Tx, laneIds: readonly string[]): Promise<void> {
    if (laneIds.length > 0) await tx.query('DELETE FROM reference_waits WHERE lane_id = ANY ($1::bigint[])', [laneIds]);
  }

  /** Lanes that wait for one of these references, if it is known. */
  async due(db: Queryable, tenant: string, kind: AwaitedKind, references: readonly string[]): Promise<LaneKey[]> {
    const statement = kind === 'sku' ? DUE_SKUS : DUE_REFERENCES;
    const { rows } = await db.query<{ kind: string; identity: string }>(statement, [tenant, kind, references]);
    return rows.map((row) => ({ tenant, ...row }));
  }

  /** At most `limit` published SKUs for which lanes wait. */
  async overdueSkus(db: Queryable, limit: number): Promise<{ tenant: string; externalReference: string }[]> {
    const { rows } = await db.query<{ tenant: string; externalReference: string }>(OVERDUE_SKUS, [limit]);
    return rows;
  }

  /** Number of waiting lanes of a tenant, or of all (null), by `waitCountKey`. */
  async counts(db: Queryable, tenant: string | null): Promise<Map<string, number>> {
    const { rows } = await db.query<{ tenant: string; kind: string; lanes: number }>(
      `SELECT tenant, waiting_kind AS kind, count(DISTINCT lane_id)::float8 AS lanes FROM reference_waits
       WHERE $1::text IS NULL OR tenant = $1 GROUP BY tenant, waiting_kind`,
      [tenant],
    );
    return new Map(rows.map((row) => [waitCountKey(row), row.lanes]));
  }

  /** Removes the waits of woken lanes, which check themselves what they still wait for. */
  async delete(tx: Tx, laneIds: readonly string[], kind: AwaitedKind, references: readonly string[]): Promise<void> {
    await tx.query(
      'DELETE FROM reference_waits WHERE lane_id = ANY ($1::bigint[]) AND kind = $2 AND external_reference = ANY ($3::text[])',
      [laneIds, kind, references],
    );
  }
}

/** Key of `counts` for one kind of lane of a tenant. */
export function waitCountKey({ tenant, kind }: { readonly tenant: string; readonly kind: string }): string {
  return `${tenant}/${kind}`;
}
