import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type AppliedProduct, skuReferences } from '../product-state/applied-product.ts';
import type { KnownProduct } from '../product-state/known-product.ts';
import { type ReadDifference, readDifferences } from '../product-state/read-back.ts';
import type { KnownSku } from '../product-state/known-sku.ts';
import { skuChanges, skuContents } from '../product-state/sku-snapshots.ts';

/** A product as it should be in the shop, with its reference. */
export interface Expected {
  readonly tenant: string;
  readonly externalReference: string;
  /** The body that would be posted; absent keys are not compared. */
  readonly body: JsonRecord;
  readonly known: KnownProduct;
}

/** A product of the shop against its expected state. */
export interface ComparedProduct {
  /** Null for a record without a readable reference. */
  readonly externalReference: string | null;
  /**
   * `absent`: the shop has no such product. `refused`: the platform does not answer for it. `unreadable`: the record
   * would be a dead letter.
   */
  readonly state: 'same' | 'differs' | 'absent' | 'refused' | 'unreadable';
  readonly differences: readonly ReadDifference[];
  /** SKUs whose state in the shop differs from the published one. */
  readonly skusToPublish: readonly string[];
  /** True if the SKUs are due to be published. */
  readonly adopted: boolean;
}

/** Result for a product that could not be compared. */
export function notCompared(
  externalReference: string | null,
  state: 'absent' | 'refused' | 'unreadable',
): ComparedProduct {
  return { externalReference, state, differences: [], skusToPublish: [], adopted: false };
}

/** All applied values of a product and its SKUs, as one body. */
export function appliedBody({ product, skus }: AppliedProduct, externalReference: string): JsonRecord {
  const entries = Object.entries(skus).map(([reference, sku]) => ({ ...sku, externalReference: reference }));
  return { ...product, externalReference, skus: entries };
}

/** SKUs whose published state is compared with the product. */
export function comparedSkus({ known }: Expected, readModel: JsonRecord): string[] {
  return [...new Set([...skuReferences(readModel), ...known.skus])];
}

/**
 * Compares the shop's read model of a product with its expected state.
 *
 * @param skus published states of `comparedSkus`
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
