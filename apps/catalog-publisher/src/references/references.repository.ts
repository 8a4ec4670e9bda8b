import type { Queryable } from '@gondola/lanes/store/queryable';
import type { Tx } from '@gondola/service-kit/database/database';
import { type JsonRecord, stringifyWithDigits } from '@gondola/shared/json/json-digits';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { Injectable } from '@nestjs/common';
import { referenceText } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { objectFromText } from '../records/stored-text.ts';
import type { ReferenceEffect, StoredReference } from './stored-reference.ts';

/** A lane that is about to send references, with their state at the time its record was prepared. */
export interface HoldRequest {
  readonly laneId: string;
  readonly references: ReadonlyMap<string, string>;
}

/** Locks, inserts and updates rows in the order of their key. */
const SET_REFERENCES = `
  INSERT INTO catalog_references AS known (tenant, kind, external_reference, record, parent, is_known, revision)
  SELECT $1, $2, changed.*, 1 FROM unnest($3::text[], $4::text[], $5::text[], $6::boolean[])
    AS changed (external_reference, record, parent, is_known)
  ORDER BY changed.external_reference COLLATE "C"
  ON CONFLICT (tenant, kind, external_reference) DO UPDATE
    SET record = excluded.record, parent = excluded.parent, is_known = excluded.is_known, in_doubt = false,
      revision = known.revision + 1`;

/** $1 tenant, $2 kind, $3 references. */
const LOCK = `
  SELECT external_reference AS reference, revision, held_by AS "heldBy",
    coalesce(lands_until > clock_timestamp(), false) AS "mayLand" FROM catalog_references
  WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])
  ORDER BY tenant, kind, external_reference FOR UPDATE`;

/** $1 tenant: the known parent of a category, and the one that it waits for. */
const PARENTS_OF = (child: string): string => `
  SELECT parent, false AS pending FROM catalog_references
  WHERE tenant = $1 AND kind = 'category' AND external_reference = ${child} AND is_known
  UNION ALL SELECT external_reference, true FROM reference_waits
  WHERE tenant = $1 AND waiting_kind = 'category' AND kind = 'category' AND waiting_reference = ${child}`;

/** The table `catalog_references`: stored state of brands and categories. */
@Injectable()
export class ReferencesRepository {
  async load(
    db: Queryable,
    tenant: string,
    kind: ReferenceKind,
    references: readonly string[],
  ): Promise<Map<string, StoredReference>> {
    const { rows } = await db.query<Omit<StoredReference, 'record'> & { readonly record: string | null }>(
      `SELECT external_reference AS "externalReference", record, parent, is_known AS "exists", in_doubt AS "inDoubt", revision
       FROM catalog_references
       WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])`,
      [tenant, kind, references],
    );
    return new Map(
      rows.map(({ record, ...row }) => [
        row.externalReference,
        { ...row, record: record === null ? null : objectFromText<JsonRecord>(record) },
      ]),
    );
  }

  /** `referenceText` of the known ones among `awaited`. */
  async known(db: Queryable, tenant: string, awaited: readonly AwaitedReference[]): Promise<Set<string>> {
    if (awaited.length === 0) return new Set();
    const { rows } = await db.query<{ kind: 'brand' | 'category'; externalReference: string }>(
      `SELECT kind, external_reference AS "externalReference" FROM catalog_references
       JOIN unnest($2::text[], $3::text[]) AS named (kind, external_reference) USING (kind, external_reference)
       WHERE tenant = $1 AND is_known`,
      [tenant, awaited.map(({ kind }) => kind), awaited.map(({ externalReference }) => externalReference)],
    );
    return new Set(rows.map(referenceText));
  }

  /** Parents on the way up from categories, both of known categories and of those that wait for their parent. */
  async parents(db: Queryable, tenant: string, from: readonly string[]): Promise<Map<string, string | null>> {
    const { rows } = await db.query<{ child: string; parent: string | null }>(
      `WITH RECURSIVE way (child, parent, pending) AS (
         SELECT start.child, edge.parent, edge.pending
         FROM unnest($2::text[]) AS start (child) JOIN LATERAL (${PARENTS_OF('start.child')}) AS edge ON true
         UNION SELECT way.parent, edge.parent, edge.pending
         FROM way JOIN LATERAL (${PARENTS_OF('way.parent')}) AS edge ON true
       ) SELECT child, parent FROM way ORDER BY pending`,
      [tenant, from],
    );
    return new Map(rows.map(({ child, parent }) => [child, parent]));
  }

  /** Lanes of the products that refer to each of these. */
  async users(
    db: Queryable,
    tenant: string,
    kind: ReferenceKind,
    references: readonly string[],
  ): Promise<Map<string, string[]>> {
    const { rows } = await db.query<{ reference: string; laneIds: string[] }>(
      `SELECT external_reference AS reference, array_agg(lane_id::text) AS "laneIds" FROM product_references
       WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[]) GROUP BY external_reference`,
      [tenant, kind, references],
    );
    return new Map(rows.map(({ reference, laneIds }) => [reference, laneIds]));
  }

  /** The ones among `references` that products refer to. */
  async inUse(db: Queryable, tenant: string, kind: ReferenceKind, references: readonly string[]): Promise<Set<string>> {
    if (references.length === 0) return new Set();
    const { rows } = await db.query<{ reference: string }>(
      `SELECT DISTINCT external_reference AS reference FROM product_references
       WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])`,
      [tenant, kind, references],
    );
    return new Set(rows.map(({ reference }) => reference));
  }

  /** Saves the effects of records in their order; for each brand or category the last one wins. */
  async save(tx: Tx, tenant: string, kind: ReferenceKind, effects: readonly ReferenceEffect[]): Promise<void> {
    const set = new Map<string, Settable>();
    const inDoubt = new Set<string>();
    for (const effect of effects) {
      for (const each of settablesOf(effect)) {
        set.set(each.externalReference, each);
        inDoubt.delete(each.externalReference);
      }
      for (const reference of effect.inDoubt) inDoubt.add(reference);
    }
    if (set.size > 0) await tx.query(SET_REFERENCES, [tenant, kind, ...columnsOf([...set.values()])]);
    if (inDoubt.size === 0) return;
    await tx.query(
      `UPDATE catalog_references SET in_doubt = true, revision = revision + 1
       WHERE tenant = $1 AND kind = $2 AND external_reference = ANY ($3::text[])`,
      [tenant, kind, [...inDoubt]],
    );
  }

  /**
   * Assigns brands and categories to the lane whose open record covers them. A tree covers categories that have lanes
   * of their own: while it is being sent, those lanes wait, and the other way round, so that the stored state of a
   * category is the one sent last. Nor is one free while a lost call of its last record may still land (rule 16).
   * Returns the lanes that now hold all their references, unchanged since their records were prepared; the other lanes
   * hold no new ones.
   */
  async hold(tx: Tx, tenant: string, kind: ReferenceKind, requests: readonly HoldRequest[]): Promise<Set<string>> {
    const references = [...new Set(requests.flatMap((request) => [...request.references.keys()]))];
    await tx.query(
      `INSERT INTO catalog_references (tenant, kind, external_reference)
       SELECT $1, $2, wanted FROM unnest($3::text[]) AS wanted ORDER BY wanted COLLATE "C" ON CONFLICT DO NOTHING`,
      [tenant, kind, references],
    );
    const { rows } = await tx.query<Locked>(LOCK, [tenant, kind, references]);
    const awaited = new Set(rows.flatMap(({ reference, mayLand }) => (mayLand ? [reference] : [])));
    const revisions = new Map(rows.map(({ reference, revision }) => [reference, revision]));
    const holder = new Map(rows.map(({ reference, heldBy }) => [reference, heldBy]));
    const granted = new Set<string>();
    for (const { laneId, references: wanted } of requests) {
      const isFree = [...wanted].every(([reference, revision]) => {
        const holding = holder.get(reference) ?? null;
        // References held since an earlier attempt were changed by no other record.
        if (holding !== null) return holding === laneId;
        return !awaited.has(reference) && revisions.get(reference) === revision;
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

  /** Revisions of brands or categories, which change no more until `tx` ends. */
  async lock(tx: Tx, tenant: string, kind: ReferenceKind, references: readonly string[]): Promise<Map<string, string>> {
    if (references.length === 0) return new Map();
    const { rows } = await tx.query<{ reference: string; revision: string }>(LOCK, [tenant, kind, references]);
    return new Map(rows.map(({ reference, revision }) => [reference, revision]));
  }

  /** Frees what lanes hold, each after the time in which a lost call of its record may still land. */
  async release(tx: Tx, lanes: readonly { readonly laneId: string; readonly landsInMs: number }[]): Promise<void> {
    if (lanes.length === 0) return;
    await tx.query(
      `UPDATE catalog_references SET held_by = NULL,
         lands_until = greatest(lands_until, clock_timestamp() + ended.ms * interval '1 millisecond')
       FROM unnest($1::bigint[], $2::float8[]) AS ended (lane_id, ms) WHERE held_by = ended.lane_id`,
      [lanes.map(({ laneId }) => laneId), lanes.map(({ landsInMs }) => (landsInMs > 0 ? landsInMs : null))],
    );
  }
}

/** A brand or category that changes no more until its transaction ends. */
interface Locked {
  readonly reference: string;
  readonly revision: string;
  readonly heldBy: string | null;
  /** True while a lost call of its last record may still land. */
  readonly mayLand: boolean;
}

function settablesOf({ entered, removed, restored }: ReferenceEffect): Settable[] {
  return [
    ...entered.map((each) => ({ ...each, exists: true })),
    ...removed.map((externalReference) => ({ externalReference, parent: null, record: null, exists: false })),
    ...restored,
  ];
}

type Settable = Pick<StoredReference, 'externalReference' | 'record' | 'parent' | 'exists'>;

function columnsOf(set: readonly Settable[]): unknown[] {
  return [
    set.map(({ externalReference }) => externalReference),
    set.map(({ record }) => (record === null ? null : stringifyWithDigits(record))),
    set.map(({ parent }) => parent),
    set.map(({ exists }) => exists),
  ];
}
