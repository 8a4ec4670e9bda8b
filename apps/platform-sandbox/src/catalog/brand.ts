import { invalid, type OrRefused } from '../values/refusal.ts';
import { isJsonObject, type Json, type JsonObject } from '../values/exact-json.ts';
import { integer, text, textOrNull, violations, withPresentKeys, type FieldRule } from './field-rules.ts';

export interface Brand {
  /** GUID created by the core. */
  readonly id: string;
  readonly externalReference: string;
  /** The last given keys of the input table, under their input names. */
  readonly fields: JsonObject;
}

/** The input table of a brand (docs/platform.md, "Brand"). */
export const BRAND_FIELDS: readonly FieldRule[] = [
  text('externalReference', { required: true }),
  text('name', { required: true }),
  text('title', { required: true }),
  text('description', { required: true }),
  integer('punctuation', { required: true }),
  text('similarTerms'),
];

export type BrandDecision = OrRefused<{ readonly kind: 'stored'; readonly brand: Brand }>;

/**
 * Decides one item of a brand batch. A brand is replaced as a whole: the document promises partial updates for
 * products and SKUs only (docs/platform.md, "Behaviour rules" 6).
 */
export function decideBrand(item: Json, existing: Brand | undefined, newGuid: () => string): BrandDecision {
  const given = isJsonObject(item) ? item : {};
  const found = violations(BRAND_FIELDS, given, true);
  if (found.length > 0) return { kind: 'refused', refusal: invalid(found) };
  const externalReference = textOrNull(item, 'externalReference') ?? '';
  const fields = withPresentKeys(BRAND_FIELDS, {}, given);
  return { kind: 'stored', brand: { id: existing?.id ?? newGuid(), externalReference, fields } };
}
