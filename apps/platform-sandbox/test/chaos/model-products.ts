import type { Item } from './planned-products.ts';

/** A product as the result of the accepted items, by the test's own reading of the document. */
export interface ModelProduct {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly skus: ReadonlyMap<string, Item>;
}

export interface ProductOutcome {
  readonly eventType: string;
  /** Unchanged if the item was rejected; undefined if the product does not exist. */
  readonly product: ModelProduct | undefined;
}

/** Decides one item; knows only the invalid items of these runs. */
export function takeItem(item: Item, before: ModelProduct | undefined, refused: boolean): ProductOutcome {
  const ending = before === undefined ? 'Creat' : 'Updat';
  const name = item['name'];
  const isTooShort = typeof name === 'string' && name.length < 5;
  if (refused || isTooShort || item['longDescription'] === null) {
    return { eventType: `ProductWithSKUs_${before === undefined ? 'Creation' : 'Update'}Failed`, product: before };
  }
  const { skus: given = [], ...rest } = item as Item & { readonly skus?: readonly Item[] };
  const skus = new Map(before?.skus);
  let failed = 0;
  for (const sku of given) {
    if (sku['ean'] === undefined) failed += 1;
    else skus.set(String(sku['externalReference']), sku);
  }
  const product = { fields: { ...before?.fields, ...rest }, skus };
  return { eventType: failed > 0 ? 'ProductWithSKUs_PartiallyFailed' : `ProductWithSKUs_${ending}ed`, product };
}
