import { isDigits, isPlainRecord, type JsonRecord, type JsonValue } from '../json/json-digits.ts';

/**
 * Fields that identify something in an ERP's record or command, and fields with records that contain such fields.
 */
export const INTEGER_IDENTITIES: ReadonlySet<string> = new Set([
  'externalReference',
  'recordId',
  'commandId',
  'parentCommandId',
  'withdraws',
  'undoes',
  'skuExternalReference',
  'substitutes',
  'entityId',
  'warehouse',
  'policy',
  'parentExternalReference',
  'brandExternalReference',
  'categoryExternalReference',
]);
const INNER: ReadonlySet<string> = new Set(['skus', 'children', 'brand', 'category', 'items']);

/**
 * A record or command in which every identity that was written as a JSON integer is the text of its digits, at any
 * depth (contract, "Values"). `data` belongs to the platform and stays unchanged.
 */
export function withIdentityTexts(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record).map(([key, value]): [string, JsonValue] => {
    if (INTEGER_IDENTITIES.has(key)) return [key, integerText(value) ?? value];
    return [key, INNER.has(key) ? inner(value) : value];
  });
  return Object.fromEntries(entries);
}

function inner(value: JsonValue): JsonValue {
  if (Array.isArray(value))
    return value.map((each: JsonValue) => (isPlainRecord(each) ? withIdentityTexts(each) : each));
  return isPlainRecord(value) ? withIdentityTexts(value) : value;
}

/** Only digits: `4711.0` and `1e3` are forms of numbers, not references. */
function integerText(value: JsonValue): string | null {
  if (typeof value !== 'number' && !isDigits(value)) return null;
  const text = isDigits(value) ? value.rawJSON : String(value);
  return /^\d+$/.test(text) ? text : null;
}
