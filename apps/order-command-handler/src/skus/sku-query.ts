import type { OrderValues } from '../values/order-values.ts';
import type { HeadCommand } from '../lanes/lane-situation.ts';

/** What SKUs are looked up by; each that fits one of these is found. */
export interface SkuQuery {
  readonly skuIds: readonly string[];
  readonly references: readonly string[];
  readonly skuExternalReferences: readonly string[];
}

/** What the SKUs of orders, and those that their commands name, are looked up by. */
export function skuQuery(
  lanes: ReadonlyArray<{
    readonly values: OrderValues | null;
    readonly heads: ReadonlyArray<{ readonly head: HeadCommand }>;
  }>,
): SkuQuery {
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

function distinct(texts: ReadonlyArray<string | null>): string[] {
  return [...new Set(texts.filter((text) => text !== null && text !== ''))] as string[];
}
