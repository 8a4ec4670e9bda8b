import type { FieldTable } from '../fields/field-spec.ts';

/**
 * The fields of a brand record (platform document, "Brand"; rule 20). A brand is sent whole, so what is required is
 * always required.
 */
export const BRAND_FIELDS = {
  externalReference: { type: 'identity', required: 'always', inPath: true },
  name: { type: 'text', required: 'create' },
  title: { type: 'text', required: 'create' },
  description: { type: 'text', required: 'create' },
  punctuation: { type: 'integer', required: 'create' },
  similarTerms: { type: 'text' },
} as const satisfies FieldTable;
