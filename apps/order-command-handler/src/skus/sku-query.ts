import type { OrderValues } from '../values/order-values.ts';
import type { HeadCommand } from '../lanes/lane-situation.ts';
import type { KnownSku } from './match-skus.ts';

/** Keys of a SKU query: a SKU that matches any of them is found. */
export interface SkuQuery {
  readonly skuIds: readonly string[];
  readonly references: readonly string[];
  readonly skuExternalReferences: readonly string[];
}

interface SkuUser {
  readonly values: OrderValues | null;
  readonly heads: ReadonlyArray<{ readonly head: HeadCommand }>;
}

/** Query for the SKUs of orders and of their commands. */
export function skuQuery(lanes: readonly SkuUser[]): SkuQuery {
  const items = lanes.flatMap(({ values }) => values?.items ?? []);
  const named = lanes.flatMap(({ heads }) =>
    heads.flatMap(({ head: { judged } }) => (judged.kind === 'valid' ? judged.definition.skusOf(judged.asked) : [])),
  );
  return {
    skuIds: distinct(items.map(({ skuId }) => skuId)),
    references: distinct(items.map(({ reference }) => reference)),
    skuExternalReferences: distinct(named),
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
    const { skuIds, references, skuExternalReferences } = skuQuery([order]);
    const found = [
      ...skuIds.flatMap((skuId) => byId.get(skuId) ?? []),
      ...references.flatMap((reference) => byReference.get(reference) ?? []),
      ...skuExternalReferences.flatMap((reference) => byExternalReference.get(reference) ?? []),
    ];
    return [...new Set(found)];
  };
}

function distinct(texts: ReadonlyArray<string | null>): string[] {
  return [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[];
}
