import type { FieldTable } from '../fields/field-spec.ts';

/** What a catalog record says about itself, beside its content (contract, "Catalog records"); all optional. */
export const CATALOG_CONTROL_FIELDS = {
  op: { type: 'text' },
  recordId: { type: 'identity' },
  sourceVersion: { type: 'version' },
  force: { type: 'boolean' },
  loadId: { type: 'text', maxLength: 200 },
  tenant: { type: 'text' },
} as const satisfies FieldTable;

/** What a catalog record wants done; `upsert` unless it says otherwise. */
export const CATALOG_OPS = ['upsert', 'deactivate', 'activate', 'delete'] as const;

export type CatalogOp = (typeof CATALOG_OPS)[number];
