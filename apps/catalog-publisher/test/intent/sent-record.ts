import type { CatalogKind } from '../../src/records/catalog-kinds.ts';

export type Content = Readonly<Record<string, unknown>>;

/** A record as the ERP sends it, on its topic or in a file. */
export interface SentRecord {
  /** The `recordId`, else the id that Gondola gives it in a load. */
  readonly id: string;
  readonly kind: CatalogKind;
  readonly reference: string;
  /** Null: a tombstone. */
  readonly content: Content | null;
}

export function skuOf(product: string, number: number): string {
  return `${product}-${number}`;
}

/** Commercial policies of the tenant by alias. */
export const POLICIES: Readonly<Record<string, string>> = {
  varejo: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f10',
  atacado: '6f1c0a52-8a34-4a09-9d0f-0b6a3f6d2f11',
};
