import { canonicalText } from '@gondola/shared/content-hash';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json-digits';

/** What of a product the platform is known to have applied: by key, and by SKU and key. */
export interface AppliedProduct {
  readonly product: JsonRecord;
  readonly skus: Readonly<Record<string, JsonRecord>>;
}

export const NOTHING_APPLIED: AppliedProduct = { product: {}, skus: {} };

/** Whether each key of a body already has the value last applied (rule 28): null differs from absent, 1.10 is 1.1. */
export function covers(applied: AppliedProduct, body: JsonRecord): boolean {
  const { product, skus } = splitBody(body);
  return (
    keysAgree(applied.product, product) &&
    skus.every((sku) => {
      const known = applied.skus[referenceOf(sku)];
      return known !== undefined && keysAgree(known, sku);
    })
  );
}

/** The state after a body entered, of its SKUs only those named. */
export function afterApplying(
  applied: AppliedProduct,
  body: JsonRecord,
  enteredSkus: ReadonlySet<string>,
): AppliedProduct {
  const { product, skus } = splitBody(body);
  const entered = skus.filter((sku) => enteredSkus.has(referenceOf(sku)));
  return {
    product: { ...applied.product, ...product },
    skus: {
      ...applied.skus,
      ...Object.fromEntries(entered.map((sku) => [referenceOf(sku), { ...applied.skus[referenceOf(sku)], ...sku }])),
    },
  };
}

/** A body's own keys and its SKUs. */
export function splitBody(body: JsonRecord): { readonly product: JsonRecord; readonly skus: readonly JsonRecord[] } {
  const { skus, ...product } = body;
  return { product, skus: Array.isArray(skus) ? skus.filter((sku: JsonValue) => isPlainRecord(sku)) : [] };
}

/** A SKU's own code; empty where it has none, which no SKU of the ERP's has after validation. */
export function referenceOf({ externalReference }: JsonRecord): string {
  return typeof externalReference === 'string' ? externalReference : '';
}

function keysAgree(known: JsonRecord, wanted: JsonRecord): boolean {
  return Object.entries(wanted).every(
    ([key, value]) => Object.hasOwn(known, key) && canonicalText(known[key]!) === canonicalText(value),
  );
}
