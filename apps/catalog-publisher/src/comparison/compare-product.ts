import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type AppliedProduct, skuReferences } from '../product-state/applied-product.ts';
import type { KnownProduct } from '../product-state/known-product.ts';
import { type ReadDifference, readDifferences } from '../product-state/read-back.ts';
import type { KnownSku } from '../skus/known-sku.ts';
import { skuChanges, skuContents } from '../skus/sku-snapshots.ts';

/** What a product should be, and whose it is. */
export interface Expected {
  readonly tenant: string;
  readonly externalReference: string;
  /** As it would be posted; keys that are left out are not compared. */
  readonly body: JsonRecord;
  readonly known: KnownProduct;
}

/** How the shop has a product. */
export interface ComparedProduct {
  /** Null: a record that does not say whom it is about. */
  readonly externalReference: string | null;
  /**
   * `absent`: the shop has no such product. `refused`: the platform does not answer for it. `unreadable`: the record
   * would be a dead letter.
   */
  readonly state: 'same' | 'differs' | 'absent' | 'refused' | 'unreadable';
  readonly differences: readonly ReadDifference[];
  /** SKUs that the shop has otherwise than they were published. */
  readonly skusToPublish: readonly string[];
  /** Their publication was begun. */
  readonly adopted: boolean;
}

/** A product for which nothing could be compared. */
export function notCompared(
  externalReference: string | null,
  state: 'absent' | 'refused' | 'unreadable',
): ComparedProduct {
  return { externalReference, state, differences: [], skusToPublish: [], adopted: false };
}

/** All that was applied to a product and its SKUs, as one body. */
export function appliedBody({ product, skus }: AppliedProduct, externalReference: string): JsonRecord {
  const entries = Object.entries(skus).map(([reference, sku]) => ({ ...sku, externalReference: reference }));
  return { ...product, externalReference, skus: entries };
}

/** SKUs of which has to be known what was published, to compare a product. */
export function comparedSkus({ known }: Expected, readModel: JsonRecord): string[] {
  return [...new Set([...skuReferences(readModel), ...known.skus])];
}

/**
 * A product as the shop has it against what it should be.
 *
 * @param skus what was published of `comparedSkus`
 */
export function compareProduct(expected: Expected, readModel: JsonRecord, skus: readonly KnownSku[]): ComparedProduct {
  const { tenant, externalReference, body, known } = expected;
  const differences = readDifferences(body, readModel);
  const contents = skuContents(readModel, known.applied, { tenant, productExternalReference: externalReference });
  const named = new Set(skuReferences(readModel));
  const own = skus.filter(
    (sku) => sku.productExternalReference === externalReference || named.has(sku.externalReference),
  );
  return {
    externalReference,
    state: differences.length === 0 ? 'same' : 'differs',
    differences,
    skusToPublish: skuChanges(own, contents).map((change) => change.externalReference),
    adopted: false,
  };
}
