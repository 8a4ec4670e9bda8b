import { hasDigits, holdsNumber, isIssuedIn, keyedInvoice } from '../fields/access-key.ts';
import { fieldReason, given } from '../fields/field-reasons.ts';
import { integerTextOf } from '../json/digits.ts';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';

/**
 * Contradictions of an invoice and its access key: number, series, model, month of issue. A customer
 * would be shown one invoice, and the tax office another. Only present values are compared; a key that is none is an
 * error of its field already.
 */
export function invoiceKeyErrors(record: JsonRecord, language: Language): FieldReason[] {
  const keyed = keyedInvoice(record['accessKey']);
  if (keyed === null) return [];
  const { number, series, model, issuedAt } = record;
  const month = `20${keyed.month.slice(0, 2)}-${keyed.month.slice(2)}`;
  const compared = [
    { field: 'number', value: number, expected: keyed.number, isSo: isNumbered(number, keyed.number, true) },
    { field: 'series', value: series, expected: keyed.series, isSo: isNumbered(series, keyed.series, false) },
    { field: 'model', value: model, expected: keyed.model, isSo: isNumbered(model, keyed.model, false) },
    { field: 'issuedAt', value: issuedAt, expected: month, isSo: isIssuedIn(issuedAt, keyed.month) },
  ];
  return compared.flatMap(({ field, value, expected, isSo }) =>
    isSo
      ? []
      : [fieldReason('ACCESS_KEY_MISMATCH', language, { field }, { params: { ...given(value, language), expected } })],
  );
}

/**
 * True unless the value contradicts the key. A series or model in words cannot be compared; a number must have the
 * key's digits.
 */
function isNumbered(value: JsonValue | undefined, expected: string, isAlwaysDigits: boolean): boolean {
  const text = typeof value === 'string' ? value : integerTextOf(value ?? null);
  if (text === null || text === '') return true;
  return holdsNumber(text, expected) || !(isAlwaysDigits || hasDigits(text));
}
