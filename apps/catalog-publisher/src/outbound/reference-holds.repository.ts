import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { ReferenceKind } from '../domain/catalog-kinds.ts';

/** A lane whose record is about to send some references, and how they were known when it was made ready. */
export interface HoldRequest {
  readonly laneId: string;
  readonly references: ReadonlyMap<string, string>;
}

/**
 * Whose open record covers which brand or category. A tree covers categories that have lanes of their own; while it is
 * on its way, theirs wait, and the other way round, so that what is remembered of a category is what was sent last.
 */
@Injectable()
export class ReferenceHoldsRepository {
  /**
   * The lanes that now hold all their references, each of them as it was when its record was made ready; the others
   * hold none new.
   */
  async take(tx: Tx, tenant: string, kind: ReferenceKind, requests: readonly HoldRequest[]): Promise<Set<string>> {
    const references = [...new Set(requests.flatMap((request) => [...request.references.keys()]))];
    await tx.query(
      `INSERT INTO catalog_references (tenant, kind, external_reference)
       SELECT $1, $2, wanted FROM unnest($3::text[]) AS wanted ORDER BY wanted COLLATE "C" ON CONFLICT DO NOTHING`,
      [tenant, kind, references],
    );
    const { rows } = await tx.query<{ external_reference: string; revision: string; held_by: string | null }>(
      `SELECT external_reference, revision, held_by FROM catalog_references
       WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])
       ORDER BY tenant, kind, external_reference FOR UPDATE`,
      [tenant, kind, references],
    );
    const stand = new Map(rows.map((row) => [row.external_reference, row]));
    const holder = new Map(rows.map((row) => [row.external_reference, row.held_by]));
    const granted = new Set<string>();
    for (const { laneId, references: wanted } of requests) {
      const isFree = [...wanted].every(([reference, revision]) => {
        const holding = holder.get(reference) ?? null;
        // What it holds since an earlier sending nobody else's record has changed.
        return holding === laneId || (holding === null && stand.get(reference)?.revision === revision);
      });
      if (!isFree) continue;
      granted.add(laneId);
      for (const reference of wanted.keys()) holder.set(reference, laneId);
    }
    const taken = [...holder].flatMap(([reference, laneId]) =>
      laneId !== null && granted.has(laneId) ? [{ reference, laneId }] : [],
    );
    await tx.query(
      `UPDATE catalog_references SET held_by = taken.lane_id
       FROM unnest($3::text[], $4::bigint[]) AS taken (external_reference, lane_id)
       WHERE tenant = $1 AND kind = $2 AND catalog_references.external_reference = taken.external_reference`,
      [tenant, kind, taken.map(({ reference }) => reference), taken.map(({ laneId }) => laneId)],
    );
    return granted;
  }

  async release(tx: Tx, laneIds: readonly string[]): Promise<void> {
    if (laneIds.length === 0) return;
    await tx.query('UPDATE catalog_references SET held_by = NULL WHERE held_by = ANY ($1::bigint[])', [laneIds]);
  }
}
