import type { Dto } from './json-schema.ts';

/**
 * Definition of one field of a record, and the only home of a limit: the check of a record that was read, and the
 * schemas of records in both directions, follow from it.
 */
export interface FieldSpec {
  readonly type: FieldType;
  /** Description in the published schemas, if the name is not sufficient. */
  readonly about?: string;
  /** Possible values; checked here for a `choice`, by the field's reader for other types. */
  readonly choices?: readonly string[];
  /** Class of a `record`, or of an entry of a `list`; by default any JSON object. */
  readonly of?: () => Dto;

  // Fields that the ERP writes: they may be absent or null unless they are required.

  /** `always`: an identity. `create`: must be present on creation, may be absent in a change. */
  readonly required?: 'always' | 'create';
  /** Text: length in code points. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Numbers: smallest value. */
  readonly min?: number;
  /** Numbers: the value must be greater than this. */
  readonly above?: number;
  /** Text that is part of a path of the platform: no segment `.` or `..` (`climbsPaths`). */
  readonly inPath?: true;
  /** Lists: maximum number of entries. */
  readonly maxEntries?: number;
  /** Setting of the tenants file whose names are accepted in addition to the field's own values. */
  readonly tenantNames?: 'catalog.units' | 'catalog.commercialPolicies';

  // Fields that Gondola writes: they are present and not null unless these say otherwise.

  /** The value may be null. */
  readonly nullable?: true;
  /** The field may be absent. */
  readonly optional?: true;
  /** Integers that may exceed 32 bits: the largest value. */
  readonly maximum?: number;
  /** A later release may add choices, so a reader must accept others. */
  readonly open?: true;
}

export type FieldType =
  | 'text'
  | 'identity'
  | 'guid'
  | 'integer'
  | 'number'
  | 'decimal'
  | 'boolean'
  | 'date'
  | 'time'
  | 'unit'
  | 'order-number'
  | 'version'
  | 'money'
  | 'access-key'
  | 'code'
  | 'choice'
  | 'record'
  | 'file-type'
  | 'text-list'
  | 'list'
  | 'any';

/** An integer that may need 64 bits: order numbers and revisions. */
export const LONG_INTEGER = { type: 'integer', maximum: Number.MAX_SAFE_INTEGER } as const satisfies FieldSpec;

export type FieldTable = Readonly<Record<string, FieldSpec>>;

const OWN_FIELDS = new Map<unknown, Map<string, FieldSpec>>();

/** Declares a field of a record; the decorated property is its only definition. */
export function Field(spec: FieldSpec): PropertyDecorator {
  return (target, property) => {
    const own = OWN_FIELDS.get(target.constructor) ?? new Map<string, FieldSpec>();
    OWN_FIELDS.set(target.constructor, own.set(String(property), spec));
  };
}

/** Fields of a class: first those of its base class, each class's in their own order. */
export function fieldTable<T extends object>(dto: new () => T): Readonly<Record<keyof T & string, FieldSpec>> {
  const base: unknown = Object.getPrototypeOf(dto);
  const inherited: FieldTable = typeof base === 'function' ? fieldTable(base as Dto) : {};
  const own = Object.fromEntries(OWN_FIELDS.get(dto) ?? []);
  return { ...inherited, ...own } as Record<keyof T & string, FieldSpec>;
}
