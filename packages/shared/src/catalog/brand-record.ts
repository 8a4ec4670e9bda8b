import { BRAND_FIELDS } from './brand-record.dto.ts';
import { BrandRecordDto } from './brand-record.dto.ts';
import { listed } from '../fields/field-reasons.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import type { FieldReason } from '../outcomes/reason-codes.ts';
import { shapeErrors } from '../fields/record-shape.ts';
import { CONTROL_NAMES, type WholeRecordRules, wholeRecord, withNumbers } from './whole-record.ts';

const BRAND = { dto: BrandRecordDto, table: BRAND_FIELDS, otherNames: CONTROL_NAMES };

export interface PreparedBrand {
  /** The whole brand to post, with the ERP's own digits; must not be sent if there are errors. */
  readonly body: JsonRecord;
  readonly errors: readonly FieldReason[];
}

/**
 * Turns the content of a brand record (`readCatalogRecord`) into the body to post: it is laid over the last known
 * brand and checked as a whole, so every field that is required on creation must be known or given (rules 20, 21).
 *
 * @param known the brand as it was last posted; null before the first time
 */
export function prepareBrand(content: JsonRecord, known: JsonRecord | null, rules: WholeRecordRules): PreparedBrand {
  const whole = wholeRecord(known, content);
  const errors = shapeErrors(whole, BRAND, rules.language, {}, { mode: 'create', ...rules });
  return { body: withNumbers(whole, BRAND_FIELDS), errors: listed(errors, rules.language) };
}
