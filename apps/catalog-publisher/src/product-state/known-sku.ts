import { type JsonRecord, isPlainRecord } from '@gondola/shared/json/json-digits';
import { isBarCode } from '@gondola/shared/fields/trade-codes';
import { given } from '@gondola/shared/fields/field-reasons';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/outcomes/reason-codes';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { type AppliedProduct, ownSku, referenceOf, splitBody } from './applied-product.ts';

/** Content of a SKU's snapshot, without the fields that differ between versions. */
export type SkuContent = Omit<SkuSnapshot, 'id' | 'type' | 'time'>;

/** A SKU with its product and its published state. */
export interface KnownSku {
  readonly externalReference: string;
  readonly productExternalReference: string;
  /** Version of the last snapshot as decimal text, `0` before the first. */
  readonly version: string;
  /** Null before the first snapshot, and after a tombstone. */
  readonly content: SkuContent | null;
}

/** SKUs of many products, so that those of one are found without going through all. */
export interface KnownSkus {
  readonly byReference: ReadonlyMap<string, KnownSku>;
  readonly byProduct: ReadonlyMap<string, readonly KnownSku[]>;
}

export function knownSkus(skus: readonly KnownSku[]): KnownSkus {
  return {
    byReference: new Map(skus.map((sku) => [sku.externalReference, sku])),
    byProduct: Map.groupBy(skus, ({ productExternalReference }) => productExternalReference),
  };
}

/**
 * Finds SKUs of a record that break rule 29: a SKU that belongs to another product, or whose reference has changed.
 * A changed reference shows by the platform's own id, if a read model is sent back, or by the `reference` and bar code
 * of a SKU that the record does not name.
 *
 * @param content the record as the ERP wrote it
 * @param body the body to post
 * @param skus SKUs that the body names, and those of the product, among others
 */
export function immutableReasons(
  {
    content,
    body,
    productExternalReference,
  }: { content: JsonRecord; body: JsonRecord; productExternalReference: string },
  { byReference, byProduct }: KnownSkus,
  applied: AppliedProduct,
  language: Language,
): FieldReason[] {
  const own = byProduct.get(productExternalReference) ?? [];
  const named = new Set(splitBody(body).skus.map(referenceOf));
  const written = splitBody(content).skus;
  return splitBody(body).skus.flatMap((sku, index): FieldReason[] => {
    const reference = referenceOf(sku);
    const owner = byReference.get(reference);
    if (owner !== undefined && owner.productExternalReference !== productExternalReference) {
      return [reasonFor(reference, owner.productExternalReference, language)];
    }
    const id = written[index]?.['id'];
    const renamed = own.find(
      (known) =>
        known.externalReference !== reference &&
        ((typeof id === 'string' && known.content?.skuId === id) ||
          (owner === undefined && !named.has(known.externalReference) && isSame(known, sku, applied))),
    );
    return renamed === undefined ? [] : [reasonFor(reference, renamed.externalReference, language)];
  });
}

/**
 * True for the same `reference` and bar code. Order items are matched by these, so two SKUs cannot share them. SKUs
 * without a bar code, as with `SEM GTIN`, are different ones.
 */
function isSame(
  { externalReference, content }: KnownSku,
  { reference, ean }: JsonRecord,
  applied: AppliedProduct,
): boolean {
  const known: JsonRecord | null = ownSku(applied, { externalReference }) ?? (isPlainRecord(content) ? content : null);
  if (known === null || typeof reference !== 'string' || reference === '') return false;
  return known['reference'] === reference && isBarCode(ean) && known['ean'] === ean;
}

function reasonFor(skuExternalReference: string, other: string, language: Language): FieldReason {
  const code = 'REFERENCE_IMMUTABLE';
  const message = reasonText(code, language, given(skuExternalReference, language));
  return { skuExternalReference, field: 'externalReference', code, message, hint: other };
}
