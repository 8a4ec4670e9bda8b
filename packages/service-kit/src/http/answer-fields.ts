import type { Type } from '@nestjs/common';
import { type FieldSpec, fieldTable } from '@gondola/shared/schemas/field.decorators';
import type { Dto } from '@gondola/shared/schemas/json-schema';
import { ApiProperty } from './api-docs.ts';

/**
 * Every field of an answer of an operations API is declared open or personal, here and in the OpenAPI document
 * (`x-personal`). The console passes on what is open, masks what is personal, and leaves out what is not declared.
 * Open are identifiers, codes, counts, times, states and sentences of Gondola's own. Personal is what may name a person
 * or lead to one: values of an order's people, texts of others about an order, addresses of files, and any JSON of
 * unknown form.
 */

type Description = Parameters<typeof ApiProperty>[0];

const OPEN_FIELDS = new Map<unknown, Set<string>>();

/** A field that everybody who may see an answer may read; the fields of its own class are declared there. */
export function Open(description?: Description): PropertyDecorator {
  return (target, property) => {
    const own = OPEN_FIELDS.get(target.constructor) ?? new Set();
    OPEN_FIELDS.set(target.constructor, own.add(String(property)));
    declared(false, description)(target, property);
  };
}

/** A field that is shown only to who may reveal it, as a whole; each time is recorded. */
export function Personal(description?: Description): PropertyDecorator {
  return declared(true, description);
}

/** Names of the open fields that a class declares itself. */
export function openFieldsOf(type: Type): ReadonlySet<string> {
  return OPEN_FIELDS.get(type) ?? new Set();
}

/** Declarations in schemas that are written by hand. */
export const OPEN = { 'x-personal': false } as const;
export const PERSONAL: object = { 'x-personal': true };

interface RecordOptions {
  /** Only these fields. */
  readonly only?: readonly string[];
  /** All fields but these. */
  readonly without?: readonly string[];
  /** Names of fields that are personal, also in nested records. */
  readonly personal?: readonly string[];
}

/** Schema of a record of the contract whose known fields are open; those of unknown form are personal. */
export function openRecord(dto: Dto, { only, without = [], personal = [] }: RecordOptions = {}) {
  const fields = Object.entries<FieldSpec>(fieldTable(dto)).filter(
    ([name]) => (only?.includes(name) ?? true) && !without.includes(name),
  );
  const schemaOf = (name: string, spec: FieldSpec) => (personal.includes(name) ? PERSONAL : openSchema(spec, personal));
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(([name, spec]) => [name, schemaOf(name, spec)])),
  } as const;
}

/** Schema of one value that is no JSON of unknown form. */
export const ONE_VALUE: object = { anyOf: ['string', 'number', 'boolean', 'null'].map((type) => ({ type })) };

function openSchema({ type, of }: FieldSpec, personal: readonly string[]): object {
  if (type === 'text-list') return { ...OPEN, type: 'array', items: ONE_VALUE };
  const dtos = of === undefined ? [] : [of()].flat();
  if (type === 'any' || (type === 'record' && dtos.length === 0)) return PERSONAL;
  if (dtos.length === 0) return { ...OPEN, ...ONE_VALUE };
  const records = dtos.map((dto) => openRecord(dto, { personal }));
  return type === 'list'
    ? { ...OPEN, type: 'array', items: { anyOf: records } }
    : { ...OPEN, anyOf: [...records, { type: 'null' }] };
}

function declared(isPersonal: boolean, description: Description = {}): PropertyDecorator {
  const extended: object = { ...description, 'x-personal': isPersonal };
  return ApiProperty(extended);
}
