import { Injectable } from '@nestjs/common';
import { withArrays } from '@gondola/lanes/store/array-parameter';
import { type Column, insertRows } from '@gondola/lanes/store/new-rows';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { storable } from '@gondola/shared/json/storable-text';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import type { OrderValues } from '../facts/order-values.ts';
import { type KnownSku, usable } from './match-skus.ts';

/** A SKU's snapshot under its key; null after a tombstone. */
export interface SkuChange {
  readonly key: string;
  readonly snapshot: SkuSnapshot | null;
}

/** An order whose SKUs are looked up. */
interface SkuUser {
  readonly values: OrderValues | null;
  /** External references that its commands name. */
  readonly namedSkus: readonly string[];
}

const COLUMNS: readonly Column<{ readonly key: string; readonly snapshot: SkuSnapshot }>[] = [
  ['key', 'text', ({ key }) => key],
  ['tenant', 'text', ({ snapshot }) => snapshot.tenant],
  ['sku_external_reference', 'text', ({ snapshot }) => snapshot.skuExternalReference],
  ['sku_id', 'text', ({ snapshot }) => usable(snapshot.skuId)],
  ['product_id', 'text', ({ snapshot }) => usable(snapshot.productId)],
  ['ean', 'text', ({ snapshot }) => usable(snapshot.ean)],
  ['reference', 'text', ({ snapshot }) => usable(snapshot.reference)],
  ['name', 'text', ({ snapshot }) => (snapshot.name === null ? null : storable(snapshot.name))],
];
const REPLACE = `ON CONFLICT (key) DO UPDATE SET sku_id = excluded.sku_id, product_id = excluded.product_id, ean = excluded.ean,
  reference = excluded.reference, name = excluded.name`;

const FIND = `
  SELECT sku_external_reference AS "skuExternalReference", sku_id AS "skuId", product_id AS "productId", ean, reference, name
  FROM skus
  WHERE tenant = $1 AND (sku_id = ANY ($2::text[]) OR reference = ANY ($3::text[]) OR sku_external_reference = ANY ($4::text[]))
  ORDER BY sku_external_reference`;

/**
 * The table `skus`: current state of `catalog.skus.v1`. The records of a key arrive in order on one partition; a
 * repeat after a crash ends in the same state, because the newer records follow again.
 */
@Injectable()
export class SkusRepository {
  constructor(private readonly database: Database) {}

  /** Stores the newest snapshot of each key; `changes` are in the order of their records. */
  async save(tx: Tx, changes: readonly SkuChange[]): Promise<void> {
    // Sorted by key: replicas that write the same rows in different orders deadlock.
    const last = [...new Map(changes.map((change) => [change.key, change])).values()];
    const sorted = last.toSorted((one, other) => (one.key < other.key ? -1 : 1));
    const known = sorted.flatMap(({ key, snapshot }) => (snapshot === null ? [] : [{ key, snapshot }]));
    await insertRows(tx, 'skus', COLUMNS, known, REPLACE);
    const gone = sorted.flatMap(({ key, snapshot }) => (snapshot === null ? [key] : []));
    if (gone.length > 0) await tx.query('DELETE FROM skus WHERE key = ANY ($1::text[])', [gone]);
  }

  /** The known SKUs of orders and of their commands, for each of the orders. */
  async ofOrders(tenant: string, orders: readonly SkuUser[]): Promise<(order: SkuUser) => readonly KnownSku[]> {
    const { skuIds, references, skuExternalReferences } = keysOf(orders);
    if (skuIds.length + references.length + skuExternalReferences.length === 0) return () => [];
    const columns = [skuIds, references, skuExternalReferences].map((values) => ({ type: 'text' as const, values }));
    const { rows } = await withArrays(columns, (arrays) => this.database.query<KnownSku>(FIND, [tenant, ...arrays]));
    return skusByOrder(rows);
  }
}

/** Keys of the SKUs of orders: one that has any of them is found. */
function keysOf(orders: readonly SkuUser[]) {
  const items = orders.flatMap(({ values }) => values?.items ?? []);
  return {
    skuIds: distinct(items.map(({ skuId }) => skuId)),
    references: distinct(items.map(({ reference }) => reference)),
    skuExternalReferences: distinct(orders.flatMap(({ namedSkus }) => namedSkus)),
  };
}

/**
 * Selects one order's SKUs from those found for many orders, since each of its items is compared with all of them.
 */
export function skusByOrder(skus: readonly KnownSku[]): (order: SkuUser) => readonly KnownSku[] {
  const byId = Map.groupBy(skus, ({ skuId }) => skuId);
  const byReference = Map.groupBy(skus, ({ reference }) => reference);
  const byExternalReference = Map.groupBy(skus, ({ skuExternalReference }) => skuExternalReference);
  return (order) => {
    const { skuIds, references, skuExternalReferences } = keysOf([order]);
    const found = [
      ...skuIds.flatMap((skuId) => byId.get(skuId) ?? []),
      ...references.flatMap((reference) => byReference.get(reference) ?? []),
      ...skuExternalReferences.flatMap((reference) => byExternalReference.get(reference) ?? []),
    ];
    return [...new Set(found)];
  };
}

function distinct(texts: ReadonlyArray<string | null>): string[] {
  return [...new Set(texts.flatMap((text) => usable(text) ?? []))];
}
