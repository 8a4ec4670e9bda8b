import { CATALOG_CONTROL_FIELDS } from './catalog-control.dto.ts';
import { decimalTextToNumberToken, integerTextOf } from '../json/digits.ts';
import type { FieldTable } from '../schemas/field.decorators.ts';
import type { JsonRecord, JsonValue } from '../json/json-digits.ts';
import type { Language } from '../outcomes/reason-codes.ts';

/** Rules for a brand or a category besides its table. */
export interface WholeRecordRules {
  readonly language: Language;
  /** Additional keys that are accepted. */
  readonly allowedExtraKeys?: readonly string[] | undefined;
}

/** Names of the control keys, which are hints for misspelt keys too. */
export const CONTROL_NAMES: readonly string[] = Object.keys(CATALOG_CONTROL_FIELDS);

/**
 * Lays the ERP's change over the last known record: brands and categories are sent whole, since the platform
 * promises no partial update of them (rule 21). Every present key counts, even with null.
 */
export function wholeRecord(known: JsonRecord | null, change: JsonRecord): JsonRecord {
  return { ...known, ...change };
}

/**
 * Turns decimal text in the table's numeric fields into numbers with the same digits (rule 21). An integer is
 * written without fraction and exponent, since a reader of integers may refuse them.
 */
export function withNumbers(record: JsonRecord, table: FieldTable): JsonRecord {
  const entries = Object.entries(record).map(([key, value]): [string, JsonValue] => {
    const type = Object.hasOwn(table, key) ? table[key]?.type : undefined;
    const digits = type === 'integer' ? (integerTextOf(value) ?? value) : value;
    const isNumeric = type === 'decimal' || type === 'integer';
    return [key, isNumeric ? (decimalTextToNumberToken(digits) ?? value) : value];
  });
  return Object.fromEntries(entries);
}
