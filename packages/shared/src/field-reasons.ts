import type { BrokenConstraint } from './dto/field.decorators.ts';
import type { FieldSpec } from './field-spec.ts';
import { expectedText, fieldWords, limitText } from './field-texts.ts';
import type { JsonValue } from './json-digits.ts';
import { nearestName, topicOfKey } from './known-names.ts';
import { type FieldReason, type Language, type ReasonCode, type ReasonParams, reasonText } from './reason-codes.ts';

/** Entries of `errors[]` and `warnings[]`, in the ERP's names and the tenant's language. */

/** Most entries of one record; a record with more is wrong as a whole, and its result must still fit a topic. */
export const MAX_REPORTED = 100;

// A key may be as long as its record.
const MAX_NAME = 200;

/** Where a reason belongs. */
export interface ReasonPlace {
  /** The name as the ERP wrote it. */
  readonly field: string;
  readonly skuExternalReference?: string | undefined;
}

export function fieldReason(
  code: ReasonCode,
  language: Language,
  place: ReasonPlace,
  more: { readonly params?: ReasonParams; readonly hint?: string | undefined } = {},
): FieldReason {
  const { skuExternalReference } = place;
  const field = place.field.length > MAX_NAME ? `${place.field.slice(0, MAX_NAME)}…` : place.field;
  return {
    ...(skuExternalReference !== undefined && { skuExternalReference }),
    field,
    code,
    message: reasonText(code, language, { field, ...more.params }),
    ...(more.hint !== undefined && { hint: more.hint }),
  };
}

/** What to tell of a value that broke its field's type or limit, or is missing. */
export function brokenReason(
  broken: BrokenConstraint,
  language: Language,
  place: ReasonPlace,
  field: { readonly spec: FieldSpec; readonly value: JsonValue | undefined; readonly hint?: string | undefined },
): FieldReason {
  const { spec, value, hint } = field;
  if (broken === 'required' || broken === 'notEmpty') return fieldReason('FIELD_REQUIRED', language, place);
  if (broken === 'limit') {
    return fieldReason('LIMIT', language, place, { params: { limit: limitText(spec, language) } });
  }
  if (broken === 'cents') return fieldReason('TOO_MANY_DECIMALS', language, place);
  if (spec.type === 'unit') return fieldReason('UNIT_UNKNOWN', language, place, { hint });
  const words = fieldWords(language);
  const isDecimal = spec.type === 'decimal' || spec.type === 'money';
  const hasComma = isDecimal && typeof value === 'string' && /^-?[\d.]+,\d+$/.test(value);
  return fieldReason('FIELD_TYPE', language, place, {
    params: { expected: expectedText(spec, language) },
    hint: hasComma ? words.decimalPoint : hint,
  });
}

/** What to tell of a key that no table has: the topic that a price or a stock belongs to, else the nearest known name (rule 20). */
export function unknownReason(
  key: string,
  language: Language,
  place: ReasonPlace,
  known: { readonly names: readonly string[]; readonly isProduct: boolean },
): FieldReason {
  const words = fieldWords(language);
  const topic = known.isProduct ? topicOfKey(key) : null;
  const hint = topic === null ? words.nearest(nearestName(key, known.names)) : words.topic(topic);
  return fieldReason('FIELD_UNKNOWN', language, place, { hint });
}
