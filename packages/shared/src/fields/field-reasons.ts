import type { BrokenConstraint } from '../dto/field.decorators.ts';
import { hasTooManyDigits } from './digits.ts';
import type { FieldSpec } from './field-spec.ts';
import { countText, expectedText, fieldWords, limitText } from './field-texts.ts';
import { type JsonValue, isDigits, isPlainRecord, stringifyWithDigits } from '../json/json-digits.ts';
import { nearestName, topicOfKey } from './known-names.ts';
import { ABBREVIATED_ENDS, MAX_DIGITS, MAX_REPORTED, MAX_REPORTED_NAME } from '../limits.ts';
import {
  type FieldReason,
  type Language,
  type ReasonCode,
  type ReasonParams,
  reasonText,
} from '../results/reason-codes.ts';

/** Entries of `errors[]` and `warnings[]`, in the ERP's names and the tenant's language. */

/**
 * Stands for a reason that is only counted. A record may be wrong in as many places as it has bytes: a sentence and a
 * nearest name for each would hold up everybody, for a list that nobody reads.
 */
const UNLISTED: FieldReason = Object.freeze({ field: '', code: 'NOT_LISTED', message: '' });

/** A reason for each item, its sentence made only for those that are listed; `found` were found before these. */
export function reasonsFor<T>(items: Iterable<T>, found: number, make: (item: T) => FieldReason): FieldReason[] {
  return Array.from(items, (item, index) => (found + index < MAX_REPORTED ? make(item) : UNLISTED));
}

/** The first `MAX_REPORTED` reasons of one record, and behind them how many more there are. */
export function listed(reasons: readonly FieldReason[], language: Language): readonly FieldReason[] {
  if (reasons.length <= MAX_REPORTED) return reasons;
  const count = countText(reasons.length - MAX_REPORTED, language);
  const more: FieldReason = { field: '', code: 'NOT_LISTED', message: reasonText('NOT_LISTED', language, { count }) };
  return [...reasons.slice(0, MAX_REPORTED), more];
}

/** The two ends of a text that is too long to be repeated: `10000000…00000001`. */
export function abbreviated(text: string): string {
  if (text.length <= 2 * ABBREVIATED_ENDS + 1) return text;
  return `${text.slice(0, ABBREVIATED_ENDS)}…${text.slice(-ABBREVIATED_ENDS)}`.toWellFormed();
}

/** Characters of a text that are repeated whole. */
const WHOLE_TEXT = 40;

/** The value that was given, for a reason's `{given}`: a scalar, or its kind; nothing where there is none. */
export function given(value: JsonValue | undefined, language: Language): ReasonParams {
  if (value === undefined) return {};
  if (typeof value === 'string') return { given: givenText(value, language) };
  if (isDigits(value)) return { given: abbreviated(value.rawJSON) };
  const words = fieldWords(language);
  if (Array.isArray(value)) return { given: words.aList(countText(value.length, language)) };
  return { given: isPlainRecord(value) ? words.anObject : stringifyWithDigits(value) };
}

function givenText(text: string, language: Language): string {
  if (text.length <= WHOLE_TEXT) return JSON.stringify(text);
  return fieldWords(language).longText(JSON.stringify(abbreviated(text)), countText(text.length, language));
}

/** The place of a reason in a record. */
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
  const field =
    place.field.length > MAX_REPORTED_NAME ? `${place.field.slice(0, MAX_REPORTED_NAME).toWellFormed()}…` : place.field;
  return {
    ...(skuExternalReference !== undefined && { skuExternalReference }),
    field,
    code,
    message: reasonText(code, language, { field, ...more.params }),
    ...(more.hint !== undefined && { hint: more.hint }),
  };
}

/** The reason for a value that broke its field's type or limit, or is missing. */
export function brokenReason(
  broken: BrokenConstraint,
  language: Language,
  place: ReasonPlace,
  field: { readonly spec: FieldSpec; readonly value: JsonValue | undefined; readonly hint?: string | undefined },
): FieldReason {
  const { spec, value, hint } = field;
  if (broken === 'required' || broken === 'notEmpty') return fieldReason('FIELD_REQUIRED', language, place);
  if (broken === 'limit') {
    const limit = limitText(spec, language, value);
    return fieldReason('LIMIT', language, place, { params: { limit, ...given(value, language) } });
  }
  if (broken === 'cents') return fieldReason('TOO_MANY_DECIMALS', language, place, { params: given(value, language) });
  if (spec.type === 'unit')
    return fieldReason('UNIT_UNKNOWN', language, place, { params: given(value, language), hint });
  const words = fieldWords(language);
  if (isNumeric(spec) && hasTooManyDigits(value)) return tooManyDigits(value ?? '', language, place);
  const isDecimal = spec.type === 'decimal' || spec.type === 'money';
  const hasComma = isDecimal && typeof value === 'string' && /^-?[\d.]+,\d+$/.test(value);
  return fieldReason('FIELD_TYPE', language, place, {
    params: { expected: expectedText(spec, language), ...given(value, language) },
    hint: hasComma ? words.decimalPoint : hint,
  });
}

/** The reason for a number that has more digits than a record may hold. */
export function tooManyDigits(value: JsonValue, language: Language, place: ReasonPlace): FieldReason {
  const words = fieldWords(language);
  const text = isDigits(value) ? value.rawJSON : stringifyWithDigits(value).replaceAll('"', '');
  return fieldReason('LIMIT', language, place, {
    params: { limit: words.atMostDigits(countText(MAX_DIGITS, language)) },
    hint: words.given(abbreviated(text), countText(text.length, language)),
  });
}

function isNumeric({ type }: FieldSpec): boolean {
  return type === 'decimal' || type === 'money' || type === 'integer' || type === 'version';
}

/** The hint that names the nearest known name; none where all are far. */
export function nearestHint(key: string, known: readonly string[], language: Language): string | undefined {
  const name = nearestName(key, known);
  return name === null ? undefined : fieldWords(language).nearest(name);
}

/**
 * The reason for a key that no table has: the topic that a price or a stock belongs to, else the nearest known name
 * (rule 20).
 */
export function unknownReason(
  key: string,
  language: Language,
  place: ReasonPlace,
  known: { readonly names: readonly string[]; readonly isProduct: boolean },
): FieldReason {
  const topic = known.isProduct ? topicOfKey(key) : null;
  if (topic === null) {
    return fieldReason('FIELD_UNKNOWN', language, place, { hint: nearestHint(key, known.names, language) });
  }
  return fieldReason('FIELD_UNKNOWN', language, place, { hint: fieldWords(language).topic(topic) });
}
