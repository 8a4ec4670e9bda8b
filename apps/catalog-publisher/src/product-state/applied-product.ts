import { canonicalText } from '@gondola/shared/files/content-hash';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';

/** Values of a product that the platform has applied: by key, and by SKU and key. */
export interface AppliedProduct {
  readonly product: JsonRecord;
  readonly skus: Readonly<Record<string, JsonRecord>>;
}

export const NOTHING_APPLIED: AppliedProduct = { product: {}, skus: {} };

/** True if each key of a body has the value last applied (rule 28): null differs from absent, 1.10 equals 1.1. */
export function covers(applied: AppliedProduct, body: JsonRecord): boolean {
  const { product, skus } = splitBody(body);
  // The reference identifies the product and changes nothing.
  const { externalReference: _, ...values } = product;
  return (
    changedKeys(applied.product, values).length === 0 &&
    skus.every((sku) => changedKeys(ownSku(applied, sku), sku).length === 0)
  );
}

/** The state after a body was applied, with only the given SKUs of it. */
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
      ...Object.fromEntries(entered.map((sku) => [referenceOf(sku), { ...ownSku(applied, sku), ...sku }])),
    },
  };
}

/**
 * The state after a body with an unknown outcome: the values of its keys are unknown from now on.
 */
export function afterDoubt(applied: AppliedProduct, body: JsonRecord): AppliedProduct {
  const { product, skus } = splitBody(body);
  const doubted = new Map(skus.map((sku) => [referenceOf(sku), sku]));
  return {
    product: without(applied.product, product),
    skus: Object.fromEntries(
      Object.entries(applied.skus).map(([reference, sku]) => [reference, without(sku, doubted.get(reference) ?? {})]),
    ),
  };
}

/** Keys of a record whose value differs from the known one. */
export function changedKeys(known: JsonRecord | undefined, wanted: JsonRecord): string[] {
  return Object.keys(wanted).filter(
    (key) =>
      known === undefined || !Object.hasOwn(known, key) || canonicalText(known[key]!) !== canonicalText(wanted[key]!),
  );
}

/** Fields that a body sets to null and that have a value: each once, those of SKUs as `skus[].ean`. */
export function clearedFields({ product, skus }: AppliedProduct, body: JsonRecord): string[] {
  const { product: wanted, skus: wantedSkus } = splitBody(body);
  const ofSkus = wantedSkus.flatMap((sku) => nulls(sku, skus[referenceOf(sku)]).map((key) => `skus[].${key}`));
  return [...new Set([...nulls(wanted, product), ...ofSkus])];
}

function nulls(wanted: JsonRecord, known: JsonRecord | undefined): string[] {
  return Object.keys(wanted).filter((key) => {
    if (wanted[key] !== null || known === undefined || !Object.hasOwn(known, key)) return false;
    return known[key] !== null && known[key] !== '';
  });
}

/** External references of a body's SKUs, in its order, without SKUs that have none. */
export function skuReferences(body: JsonRecord): string[] {
  return splitBody(body)
    .skus.map(referenceOf)
    .filter((reference) => reference !== '');
}

/** A body's own keys and its SKUs. */
export function splitBody(body: JsonRecord): { readonly product: JsonRecord; readonly skus: readonly JsonRecord[] } {
  const { skus, ...product } = body;
  return { product, skus: Array.isArray(skus) ? skus.filter((sku: JsonValue) => isPlainRecord(sku)) : [] };
}

/** External reference of a SKU; empty if it has none, which validation excludes for the ERP's SKUs. */
export function referenceOf({ externalReference }: JsonRecord): string {
  return typeof externalReference === 'string' ? externalReference : '';
}

/** Applied values of a SKU of a body. */
export function ownSku({ skus }: AppliedProduct, sku: JsonRecord): JsonRecord | undefined {
  const reference = referenceOf(sku);
  return Object.hasOwn(skus, reference) ? skus[reference] : undefined;
}

function without(known: JsonRecord, doubted: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(known).filter(([key]) => !Object.hasOwn(doubted, key)));
}

/**
 * Effect of a record on the platform's product: a body that was applied with these SKUs, one that may have been
 * applied, or none.
 */
export type Effect =
  | { readonly kind: 'entered'; readonly body: JsonRecord; readonly skus: ReadonlySet<string> }
  | { readonly kind: 'in-doubt'; readonly body: JsonRecord }
  | { readonly kind: 'none' };
