import { fieldTable, type RecordMode } from '../dto/field.decorators.ts';
import { brokenConstraints } from '../dto/validate-copy.ts';
import { brokenReason, reasonsFor, unknownReason } from './field-reasons.ts';
import type { FieldTable } from './field-spec.ts';
import type { JsonRecord } from '../json/json-digits.ts';
import type { FieldReason, Language } from '../results/reason-codes.ts';

/** A record's DTO, and the table that is derived from it. */
export interface RecordShape {
  readonly dto: new () => object;
  readonly table: FieldTable;
  /**
   * Names that stand beside the table's in the same record and are judged elsewhere: they help against misspellings.
   */
  readonly otherNames?: readonly string[];
}

/** The shape that a DTO says. */
export function shapeOf(dto: new () => object): RecordShape {
  return { dto, table: fieldTable(dto) };
}

export interface ShapeRules {
  /** Whether what is required to create has to be there; default `update`. */
  readonly mode?: RecordMode | undefined;
  /** Keys outside the table that pass. */
  readonly allowedExtraKeys?: readonly string[] | undefined;
}

/** The place of a record in the whole: `items[0].` in front of its fields, and the SKU that it is about. */
export interface ShapePlace {
  readonly prefix?: string | undefined;
  readonly skuExternalReference?: string | undefined;
  /** Hints for values that are not known, by field. */
  readonly hints?: Readonly<Record<string, string>> | undefined;
  /** Errors found before: only the first ones of a record have a sentence each. */
  readonly found?: number | undefined;
}

/**
 * The errors in the fields of a command, or of a record inside it: first those of the table, then the unknown
 * keys.
 */
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

/** Only what the table says: for a record whose other keys cannot be judged yet. */
export function tableErrors(
  record: JsonRecord,
  { dto, table }: RecordShape,
  language: Language,
  place: ShapePlace = {},
  mode: RecordMode = 'update',
): FieldReason[] {
  const broken = brokenConstraints(dto, table, record, mode);
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

/** A required field of a record that was found valid; its absence is a bug. */
export function judged<T>(value: T | null): T {
  if (value === null) throw new TypeError('A record was read that was not judged');
  return value;
}
