import { CATALOG_CONTROL_FIELDS } from '../dto/catalog-control.dto.ts';
import { decimalTextToNumberToken } from '../fields/digits.ts';
import type { FieldTable } from '../fields/field-spec.ts';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import type { Language } from '../results/reason-codes.ts';

/** What a brand or a category is judged by, besides its table. */
export interface WholeRecordRules {
  readonly language: Language;
  /** Keys outside the tables that pass. */
  readonly allowedExtraKeys?: readonly string[] | undefined;
}

/** Names that a record has beside its table: a misspelt control key gets its own name as a hint. */
export const CONTROL_NAMES: readonly string[] = Object.keys(CATALOG_CONTROL_FIELDS);

/**
 * The ERP's change laid over the last known record: brands and categories are sent whole, as no partial update of them
 * is promised (rule 21). A key that is there counts, also with null.
 */
export function wholeRecord(known: JsonRecord | null, change: JsonRecord): JsonRecord {
  return { ...known, ...change };
}

/** Decimal text in the table's numeric fields as numbers of the same digits (rule 21). */
export function withNumbers(record: JsonRecord, table: FieldTable): JsonRecord {
  const entries = Object.entries(record).map(([key, value]): [string, JsonValue] => {
    const type = Object.hasOwn(table, key) ? table[key]?.type : undefined;
    const isNumeric = type === 'decimal' || type === 'integer';
    return [key, isNumeric ? (decimalTextToNumberToken(value) ?? value) : value];
  });
  return Object.fromEntries(entries);
}
