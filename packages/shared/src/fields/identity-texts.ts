import { integerTextOf } from '../json/digits.ts';
import { isPlainRecord, type JsonRecord, type JsonValue } from '../json/json-digits.ts';

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
/** Other codes of a catalog record. */
const CODES: ReadonlySet<string> = new Set([
  'loadId',
  'reference',
  'ean',
  'fiscalCode',
  'manufacturerCode',
  'unitOfMeasurement',
  'unitOfMeasure',
  'commercialPolicyId',
  'commercialPoliticId',
]);
const INNER: ReadonlySet<string> = new Set(['skus', 'children', 'brand', 'category', 'items']);

/**
 * A record or command in which every identity that was written as a JSON integer is the text of its digits, and no
 * identity or other code has blanks around it, at any depth (contract, "Values"): an ERP with columns of a fixed width
 * fills them up, and `"4711 "` is no second product. `data` belongs to the platform and stays unchanged.
 */
export function withIdentityTexts(record: JsonRecord): JsonRecord {
  const entries = Object.entries(record).map(([key, value]): [string, JsonValue] => {
    if (INTEGER_IDENTITIES.has(key)) return [key, integerText(value) ?? trimmed(value)];
    if (CODES.has(key)) return [key, trimmed(value)];
    return [key, INNER.has(key) ? inner(value) : value];
  });
  return Object.fromEntries(entries);
}

function inner(value: JsonValue): JsonValue {
  if (Array.isArray(value))
    return value.map((each: JsonValue) => (isPlainRecord(each) ? withIdentityTexts(each) : each));
  return isPlainRecord(value) ? withIdentityTexts(value) : value;
}

/** Names of the codes that have blanks around them in a record as written, each once: `skus[].externalReference`. */
export function codesWithBlanks(record: JsonRecord): string[] {
  return [...new Set(blankedIn(record, ''))];
}

function blankedIn(record: JsonRecord, prefix: string): string[] {
  return Object.entries(record).flatMap(([key, value]) => {
    const name = prefix + key;
    if (INTEGER_IDENTITIES.has(key) || CODES.has(key)) return trimmed(value) === value ? [] : [name];
    if (!INNER.has(key)) return [];
    if (!Array.isArray(value)) return isPlainRecord(value) ? blankedIn(value, `${name}.`) : [];
    return value.flatMap((each: JsonValue) => (isPlainRecord(each) ? blankedIn(each, `${name}[].`) : []));
  });
}

function trimmed(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.trim() : value;
}

/** The digits of a JSON integer that is not negative. */
function integerText(value: JsonValue): string | null {
  const text = typeof value === 'string' ? null : integerTextOf(value);
  return text?.startsWith('-') === true ? null : text;
}
