import { type AppliedProduct, NOTHING_APPLIED, referenceOf, splitBody } from './applied-product.ts';
import { isPlainRecord, type JsonRecord } from '@gondola/shared/json-digits';

/** What is known of a product between two records. */
export interface KnownProduct {
  /** Null until the platform was asked or told. */
  readonly exists: boolean | null;
  /** The SKUs that the platform was seen to have. */
  readonly skus: readonly string[];
  readonly applied: AppliedProduct;
  /** The highest `sourceVersion` that was taken; decimal text, null before the first. */
  readonly sourceVersion: string | null;
  /** Operations of records that ended, newest last. */
  readonly pastOperationIds: readonly string[];
}

export const UNKNOWN_PRODUCT: KnownProduct = {
  exists: null,
  skus: [],
  applied: NOTHING_APPLIED,
  sourceVersion: null,
  pastOperationIds: [],
};

/** More than the sendings of the records of the last days; a report later than that is nobody's. */
const REMEMBERED_OPERATIONS = 20;

/** The knowledge after the product was read; null: the platform has no such product. */
export function afterReading(known: KnownProduct, readModel: JsonRecord | null): KnownProduct {
  if (readModel === null) return { ...known, exists: false };
  const skus = splitBody(readModel).skus.filter(isPlainRecord).map(referenceOf);
  return { ...known, exists: true, skus: [...new Set([...known.skus, ...skus])] };
}

/** The knowledge after a record ended. */
export function afterRecord(
  known: KnownProduct,
  ended: {
    readonly appliedProduct: AppliedProduct | null;
    readonly sourceVersion: string | null;
    readonly operationIds: readonly string[];
  },
): KnownProduct {
  const applied = ended.appliedProduct ?? known.applied;
  return {
    exists: ended.appliedProduct === null ? known.exists : true,
    skus: [...new Set([...known.skus, ...Object.keys(applied.skus)])],
    applied,
    sourceVersion: ended.sourceVersion ?? known.sourceVersion,
    pastOperationIds: [...known.pastOperationIds, ...ended.operationIds].slice(-REMEMBERED_OPERATIONS),
  };
}
