import type { BrokenConstraint } from './broken-constraints.ts';
import { hasTooManyDigits } from '../json/digits.ts';
import type { FieldSpec } from '../schemas/field.decorators.ts';
import { countText, expectedText, fieldWords, limitText } from './field-texts.ts';
import { type JsonValue, isDigits, isPlainRecord, stringifyWithDigits } from '../json/json-digits.ts';
import { timeFault } from '../time.ts';
import { nearestName, topicOfKey } from './known-names.ts';
import { ABBREVIATED_ENDS, MAX_DIGITS, MAX_REPORTED, MAX_REPORTED_NAME } from '../limits.ts';
import {
  type FieldReason,
  type Language,
  type ReasonCode,
  type ReasonParams,
  reasonText,
} from '../outcomes/reason-codes.ts';

/** Entries of `errors[]` and `warnings[]`, in the ERP's names and the tenant's language. */

/**
 * Stands for a reason that is only counted. A record may contain as many errors as bytes: a sentence and a nearest
 * name for each would delay all other records, for a list that is of no use.
 */
const UNLISTED: FieldReason = Object.freeze({ field: '', code: 'NOT_LISTED', message: '' });

/**
 * A reason for each item; sentences are created only for listed reasons. `found` is the number of earlier reasons.
 */
export function reasonsFor<T>(items: Iterable<T>, found: number, make: (item: T) => FieldReason): FieldReason[] {
  return Array.from(items, (item, index) => (found + index < MAX_REPORTED ? make(item) : UNLISTED));
}

/** The first `MAX_REPORTED` reasons of one record, followed by the number of further ones. */
export function listed(reasons: readonly FieldReason[], language: Language): readonly FieldReason[] {
  if (reasons.length <= MAX_REPORTED) return reasons;
  const count = countText(reasons.length - MAX_REPORTED, language);
  const more: FieldReason = { field: '', code: 'NOT_LISTED', message: reasonText('NOT_LISTED', language, { count }) };
  return [...reasons.slice(0, MAX_REPORTED), more];
}

/** Both ends of a text that is too long to repeat: `10000000…00000001`. */
export function abbreviated(text: string): string {
  if (text.length <= 2 * ABBREVIATED_ENDS + 1) return text;
  return `${text.slice(0, ABBREVIATED_ENDS)}…${text.slice(-ABBREVIATED_ENDS)}`.toWellFormed();
}

/** Length up to which a text is repeated whole. */
const WHOLE_TEXT = 40;

/** The received value for a reason's `{given}`: a scalar, or the kind of the value; empty if absent. */
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

/** Place of a reason in a record. */
export interface ReasonPlace {
  /** Name as the ERP wrote it. */
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

/** Reason for a value that is missing or breaks its field's type or limit. */
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
  const timeHint = spec.type === 'time' ? words.timeFaults[timeFault(value) ?? 'form'] : hint;
  return fieldReason('FIELD_TYPE', language, place, {
    params: { expected: expectedText(spec, language), ...given(value, language) },
    hint: hasComma ? words.decimalPoint : timeHint,
  });
}

/** Reason for a number with more digits than a record may contain. */
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

/** Hint with the nearest known name; undefined if none is near. */
export function nearestHint(key: string, known: readonly string[], language: Language): string | undefined {
  const name = nearestName(key, known);
  return name === null ? undefined : fieldWords(language).nearest(name);
}

/**
 * Reason for a key that no table has: names the topic for a price or a stock, else the nearest known name (rule
 * 20).
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
