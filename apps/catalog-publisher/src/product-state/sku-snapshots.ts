import { canonicalText } from '@gondola/shared/files/content-hash';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { quantityText } from '@gondola/shared/units-and-money/quantity';
import { unitFrom } from '@gondola/shared/units-and-money/units';
import { type AppliedProduct, ownSku, referenceOf, skuReferences, splitBody } from './applied-product.ts';
import type { KnownSku, SkuContent } from './known-sku.ts';

/** A SKU whose published state changes; `content` is null for a removed SKU. */
export interface SkuChange {
  readonly externalReference: string;
  /** Decimal text, one above the last version. */
  readonly version: string;
  readonly content: SkuContent | null;
}

/**
 * Reads the SKUs of a product from its read model (docs/platform.md, "Product read model"). The factor of a weighable
 * SKU, which the read model lacks, comes from the applied values.
 */
export function skuContents(
  readModel: JsonRecord,
  applied: AppliedProduct,
  about: { readonly tenant: string; readonly productExternalReference: string },
): SkuContent[] {
  const { product, skus } = splitBody(readModel);
  return skus
    .filter((sku) => referenceOf(sku) !== '')
    .map((sku) => ({
      tenant: about.tenant,
      skuExternalReference: referenceOf(sku),
      skuId: textOf(sku['id']),
      productExternalReference: about.productExternalReference,
      productId: textOf(product['id']),
      name: textOf(sku['name']),
      ean: textOf(sku['ean']),
      reference: textOf(sku['reference']),
      unitOfMeasurement: unitFrom(sku['unitOfMeasure'] ?? sku['unitOfMeasurement']),
      arithmeticFactor: quantityText(sku['arithmeticFactor'] ?? ownSku(applied, sku)?.['arithmeticFactor']),
      active: isActive(sku['active'], product['active']),
    }));
}

/** True if the read model has every applied SKU: one that is read right after a change may be older. */
export function hasAll(readModel: JsonRecord, { skus }: AppliedProduct): boolean {
  const seen = new Set(skuReferences(readModel));
  return Object.keys(skus).every((reference) => seen.has(reference));
}

/** SKUs that differ from their published state. */
export function skuChanges(known: readonly KnownSku[], contents: readonly SkuContent[]): SkuChange[] {
  const byReference = new Map(known.map((sku) => [sku.externalReference, sku]));
  const seen = new Set(contents.map(({ skuExternalReference }) => skuExternalReference));
  const changed = contents
    .filter((content) => {
      const published = byReference.get(content.skuExternalReference)?.content ?? null;
      return published === null || canonicalText({ ...published }) !== canonicalText({ ...content });
    })
    .map((content) => changeOf(content.skuExternalReference, byReference.get(content.skuExternalReference), content));
  const gone = known
    .filter(({ externalReference, content }) => content !== null && !seen.has(externalReference))
    .map((sku) => changeOf(sku.externalReference, sku, null));
  return [...changed, ...gone];
}

function changeOf(externalReference: string, known: KnownSku | undefined, content: SkuContent | null): SkuChange {
  return { externalReference, version: String(BigInt(known?.version ?? '0') + 1n), content };
}

/** A SKU of an inactive product is inactive. */
function isActive(sku: JsonValue | undefined, product: JsonValue | undefined): boolean | null {
  if (sku === false || product === false) return false;
  return sku === true || product === true ? true : null;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}
