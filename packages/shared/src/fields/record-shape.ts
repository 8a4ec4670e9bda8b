import { brokenConstraints, type RecordMode } from './broken-constraints.ts';
import { brokenReason, reasonsFor, unknownReason } from './field-reasons.ts';
import { type FieldTable, fieldTable } from '../schemas/field.decorators.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';

/** The fields of a record: the table that is derived from its DTO. */
export interface RecordShape {
  readonly table: FieldTable;
  /** Names in the same record that are checked elsewhere; they are hints for misspelt keys. */
  readonly otherNames?: readonly string[];
}

/** Shape of a DTO. */
export function shapeOf(dto: new () => object): RecordShape {
  return { table: fieldTable(dto) };
}

export interface ShapeRules {
  /** `create` requires the fields that creation requires; default `update`. */
  readonly mode?: RecordMode | undefined;
  /** Additional keys that are accepted. */
  readonly allowedExtraKeys?: readonly string[] | undefined;
}

/** Place of a record within the whole: `items[0].` before its fields, and its SKU. */
export interface ShapePlace {
  readonly prefix?: string | undefined;
  readonly skuExternalReference?: string | undefined;
  /** Hints for unknown values, by field. */
  readonly hints?: Readonly<Record<string, string>> | undefined;
  /** Number of earlier errors: only the first errors of a record have a sentence each. */
  readonly found?: number | undefined;
}

/** Errors in the fields of a command, or of a record inside it: first those of the table, then unknown keys. */
export function shapeErrors(
  record: JsonRecord,
  shape: RecordShape,
  language: Language,
  place: ShapePlace = {},
  rules: ShapeRules = {},
): FieldReason[] {
  const { table, otherNames = [] } = shape;
  const names = [...Object.keys(table), ...otherNames];
  const errors = tableErrors(record, shape, language, place, rules.mode);
  const unknown = Object.keys(record).filter(
    (key) => !Object.hasOwn(table, key) && rules.allowedExtraKeys?.includes(key) !== true,
  );
  const reasons = reasonsFor(unknown, (place.found ?? 0) + errors.length, (key) =>
    unknownReason(key, language, placeOf(key, place), { names, isProduct: false }),
  );
  return reasons.length === 0 ? errors : [...errors, ...reasons];
}

/** Checks only the fields of the table, for a record whose other keys cannot be checked yet. */
export function tableErrors(
  record: JsonRecord,
  { table }: RecordShape,
  language: Language,
  place: ShapePlace = {},
  mode: RecordMode = 'update',
): FieldReason[] {
  const broken = brokenConstraints(table, record, mode);
  return reasonsFor(broken, place.found ?? 0, ([field, constraint]) =>
    brokenReason(constraint, language, placeOf(field, place), {
      spec: table[field] ?? { type: 'any' },
      value: record[field],
      hint: place.hints !== undefined && Object.hasOwn(place.hints, field) ? place.hints[field] : undefined,
    }),
  );
}

function placeOf(field: string, { prefix = '', skuExternalReference }: ShapePlace) {
  return { field: prefix + field, skuExternalReference };
}

/** A required field of a record that was checked; its absence is a bug. */
export function judged<T>(value: T | null): T {
  if (value === null) throw new TypeError('A required field is missing in a record that was checked');
  return value;
}
