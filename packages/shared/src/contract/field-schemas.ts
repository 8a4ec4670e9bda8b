import type { FieldSpec, FieldType } from '../schemas/field.decorators.ts';
import { INTEGER_IDENTITIES } from '../fields/identity-texts.ts';
import { FILE_TYPE_NAMES, FILE_TYPES } from '../fields/file-types.ts';
import { MAX_DIGITS, MAX_IDENTITY_LENGTH } from '../limits.ts';
import { UNIT_NAMES } from '../units-and-money/units.ts';
import { type Dto, type JsonSchema, orNull } from '../schemas/json-schema.ts';

/** Schemas of the fields of records, from their DTO (`FieldSpec`). */

type RefOf = (dto: Dto) => JsonSchema;

/** As many digits as an amount in cents within a safe integer allows. */
const WHOLE_AMOUNT = '(?:0|[1-9][0-9]{0,13})';

/** No segment `.` or `..` between slashes or backslashes (`climbsPaths`). */
const NO_DOT_SEGMENT = String.raw`^(?!(?:[\s\S]*[/\\])?\.{1,2}(?:[/\\]|$))`;

const TYPE_SCHEMAS: Readonly<Record<FieldType, (spec: FieldSpec, refOf: RefOf) => JsonSchema>> = {
  text: ({ minLength, maxLength, required }) => ({
    type: 'string',
    ...((minLength !== undefined || required !== undefined) && { minLength: Math.max(minLength ?? 1, 1) }),
    ...(maxLength !== undefined && { maxLength }),
  }),
  identity: () => ({ type: 'string', minLength: 1, maxLength: MAX_IDENTITY_LENGTH }),
  guid: () => ({ type: 'string', format: 'uuid' }),
  integer: (spec) => numeric(spec, 'integer', ''),
  number: () => ({ type: 'number' }),
  decimal: (spec) => numeric(spec, 'number', String.raw`(?:\.[0-9]+)?`),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  time: () => ({
    type: 'string',
    format: 'date-time',
    pattern: String.raw`^[^.]+(?:\.[0-9]{1,7})?(?:Z|[+-][0-9]{2}:[0-9]{2})$`,
  }),
  unit: () => ({ enum: UNIT_NAMES }),
  'order-number': () => ({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[0-9]{1,30}$',
  }),
  version: () => ({
    type: ['integer', 'string'],
    minimum: 0,
    pattern: '^(?:0|[1-9][0-9]{0,17})$',
  }),
  money: (spec) => numeric(spec, 'number', String.raw`(?:\.[0-9]{1,2}0*)?`, WHOLE_AMOUNT),
  'access-key': () => ({ type: 'string', pattern: '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$' }),
  code: () => ({ type: ['integer', 'string'], minLength: 1 }),
  choice: ({ choices = [] }) => ({ enum: choices }),
  record: objectOf,
  'file-type': () => ({
    type: ['string', 'integer'],
    pattern: `^(?:${FILE_TYPE_NAMES.map(inAnyCase).join('|')}|[1-5])$`,
    minimum: 1,
    maximum: Object.keys(FILE_TYPES).length,
    examples: FILE_TYPE_NAMES,
  }),
  'text-list': ({ maxEntries }) => ({
    type: 'array',
    items: { type: 'string', minLength: 1 },
    minItems: 1,
    ...(maxEntries !== undefined && { maxItems: maxEntries }),
  }),
  list: (spec, refOf) => ({
    type: 'array',
    items: objectOf(spec, refOf),
    ...(spec.maxEntries !== undefined && { maxItems: spec.maxEntries }),
  }),
  any: () => ({}),
};

/** Descriptions of types whose values a schema alone does not explain. */
const TYPE_TEXTS: Partial<Readonly<Record<FieldType, string>>> = {
  integer: 'Integer, or its digits as text',
  decimal: 'Decimal number, or decimal text; taken by its digits, not as a float',
  money: 'Amount with at most two decimals that say something, as decimal text or number; taken by its digits',
  time: 'With an offset',
  date: 'Date of the calendar',
  'file-type': `${FILE_TYPE_NAMES.map((name) => `${FILE_TYPES[name]} \`${name}\``).join(', ')}; names in any case`,
};

/** Schemas of types of which Gondola writes one form, and reads several. */
const WRITTEN_SCHEMAS: Partial<typeof TYPE_SCHEMAS> = {
  choice: ({ choices = [], open }) => ({ type: 'string', enum: choices, ...(open === true && { 'x-open': true }) }),
  integer: () => ({ type: 'integer' }),
  time: () => ({ type: 'string', format: 'date-time' }),
  money: () => ({ type: 'string', pattern: String.raw`^-?[0-9]+\.[0-9]{2,}$` }),
  decimal: () => ({ type: 'string', pattern: String.raw`^-?[0-9]+(?:\.[0-9]*[1-9])?$` }),
  'text-list': () => ({ type: 'array', items: { type: 'string' } }),
};

const WRITTEN_TEXTS: typeof TYPE_TEXTS = {
  money: 'Decimal text with at least two decimals, never rounded',
  decimal: 'Decimal text without trailing zeros',
  time: 'With an offset',
};

/** Schema of a field that Gondola writes: the guarantees for a reader. */
export function writtenSchema(spec: FieldSpec, refOf: RefOf): JsonSchema {
  const own = (WRITTEN_SCHEMAS[spec.type] ?? TYPE_SCHEMAS[spec.type])(spec, refOf);
  const openness = spec.open === true ? 'A later release may add words' : undefined;
  return described(spec.nullable === true ? orNull(own) : own, [spec.about, WRITTEN_TEXTS[spec.type], openness]);
}

/** Schema of a field by its name: the values that the ERP may write. */
export function fieldSchema(name: string, spec: FieldSpec, refOf: RefOf): JsonSchema {
  const { choices, required, tenantNames, inPath, type } = spec;
  const own: JsonSchema = choices === undefined ? TYPE_SCHEMAS[type](spec, refOf) : { enum: choices };
  const named = INTEGER_IDENTITIES.has(name) ? { ...own, type: ['string', 'integer'], minimum: 0 } : own;
  const confined = inPath === true ? { ...named, pattern: NO_DOT_SEGMENT } : named;
  const aliased = tenantNames === undefined ? confined : withTenantNames(confined, tenantNames);
  const isNullable = required === undefined && type !== 'list' && type !== 'any';
  return described(isNullable ? orNull(aliased) : aliased, [spec.about, TYPE_TEXTS[type]]);
}

function described(schema: JsonSchema, texts: readonly (string | undefined)[]): JsonSchema {
  const about = texts.filter((text) => text !== undefined).join('. ');
  return { ...(about !== '' && { description: about }), ...schema };
}

function objectOf({ of }: FieldSpec, refOf: RefOf): JsonSchema {
  const [only, ...others] = of === undefined ? [] : [of()].flat();
  if (only === undefined) return { type: 'object' };
  return others.length === 0 ? refOf(only) : { anyOf: [only, ...others].map(refOf) };
}

function numeric(
  { min, above }: FieldSpec,
  type: 'integer' | 'number',
  fraction: string,
  whole = '(?:0|[1-9][0-9]*)',
): JsonSchema {
  const sign = min === undefined && above === undefined ? '-?' : '';
  const notZero = above === undefined ? '' : String.raw`(?!0(?:\.0+)?$)`;
  return {
    type: [type, 'string'],
    ...(min !== undefined && { minimum: min }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    pattern: `^${notZero}${sign}${whole}${fraction}$`,
    maxLength: MAX_DIGITS + 2,
  };
}

function withTenantNames(own: JsonSchema, setting: string): JsonSchema {
  const alias = { description: `A name that the tenant's \`${setting}\` maps`, type: 'string', minLength: 1 };
  return { anyOf: [own, alias] };
}

function inAnyCase(word: string): string {
  return Array.from(word, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('');
}
