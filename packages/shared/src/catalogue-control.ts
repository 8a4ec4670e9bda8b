import type { FieldTable } from './field-spec.ts';

/** What a catalogue record says about itself, beside its content (contract, "Catalog records"); all optional. */
export const CATALOGUE_CONTROL_FIELDS = {
  op: { type: 'text' },
  recordId: { type: 'identity' },
  sourceVersion: { type: 'version' },
  force: { type: 'boolean' },
  loadId: { type: 'text', maxLength: 200 },
  tenant: { type: 'text' },
} as const satisfies FieldTable;

/** What a catalogue record wants done; `upsert` unless it says otherwise. */
export const CATALOGUE_OPS = ['upsert', 'deactivate', 'activate', 'delete'] as const;

export type CatalogueOp = (typeof CATALOGUE_OPS)[number];
