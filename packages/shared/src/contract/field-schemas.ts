import type { FieldSpec, FieldType } from '../schemas/field.decorators.ts';
import { INTEGER_IDENTITIES } from '../fields/identity-texts.ts';
import { FILE_TYPE_NAMES, FILE_TYPES } from '../fields/file-types.ts';
import { MAX_DIGITS, MAX_IDENTITY_LENGTH } from '../limits.ts';
import { UNIT_NAMES } from '../units-and-money/units.ts';
import { type Dto, type JsonSchema, orNull } from '../schemas/json-schema.ts';
import { TIME_PATTERN, WRITTEN_TIME_PATTERN } from './time-patterns.ts';

/**
 * Schemas of the fields of records, from their DTO (`FieldSpec`). Validators and generators of other languages read
 * them, so patterns have no lookaround, back-reference or `\d`, and a union has alternatives that a reader can tell
 * apart (`infra/contract/portable-schemas.unit.spec.ts`).
 */

type RefOf = (dto: Dto) => JsonSchema;

/** As many digits as an amount in cents within a safe integer allows. */
const WHOLE_AMOUNT = '(?:0|[1-9][0-9]{0,13})';

/** A segment of a path that is neither `.` nor `..`. */
const SEGMENT = String.raw`(?:\.{0,2}[^./\\][^/\\]*|\.{3}[^/\\]*)?`;

/** No segment `.` or `..` between slashes or backslashes (`climbsPaths`). */
const NO_DOT_SEGMENT = String.raw`^${SEGMENT}(?:[/\\]${SEGMENT})*$`;

const WHOLE_NUMBER = '(?:0|[1-9][0-9]*)';
const FROM_ONE = '[1-9][0-9]*';
const DECIMAL = String.raw`${WHOLE_NUMBER}(?:\.[0-9]+)?`;
const ABOVE_ZERO = String.raw`(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.0*[1-9][0-9]*)`;

const TYPE_SCHEMAS: Readonly<Record<FieldType, (spec: FieldSpec, refOf: RefOf) => JsonSchema>> = {
  text: ({ minLength, maxLength, required }) => ({
    type: 'string',
    ...((minLength !== undefined || required !== undefined) && { minLength: Math.max(minLength ?? 1, 1) }),
    ...(maxLength !== undefined && { maxLength }),
  }),
  identity: () => ({ type: 'string', minLength: 1, maxLength: MAX_IDENTITY_LENGTH }),
  guid: () => ({ type: 'string', format: 'uuid' }),
  integer: (spec) => numeric(spec, 'integer', spec.min === 1 ? FROM_ONE : WHOLE_NUMBER),
  number: () => ({ type: 'number' }),
  decimal: (spec) => numeric(spec, 'number', spec.above === undefined ? DECIMAL : ABOVE_ZERO),
  boolean: () => ({ type: 'boolean' }),
  date: () => ({ type: 'string', format: 'date' }),
  time: () => ({ type: 'string', format: 'date-time', pattern: TIME_PATTERN }),
  unit: () => words(UNIT_NAMES),
  'order-number': () => ({
    type: ['integer', 'string'],
    format: 'int64',
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[0-9]{1,30}$',
  }),
  version: () => ({
    type: ['integer', 'string'],
    minimum: 0,
    pattern: '^(?:0|[1-9][0-9]{0,17})$',
  }),
  money: (spec) => numeric(spec, 'number', String.raw`${WHOLE_AMOUNT}(?:\.[0-9]{1,2}0*)?`),
  'access-key': () => ({ type: 'string', pattern: '^[0-9]{6}[0-9A-Z]{12}[0-9]{26}$' }),
  code: () => ({ type: ['integer', 'string'], minLength: 1 }),
  choice: ({ choices = [] }) => words(choices),
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

/** Fields whose own values are joined by names of the tenants file: any text that is not empty. */
const NAMED_BY_TENANT: Readonly<Record<NonNullable<FieldSpec['tenantNames']>, JsonSchema>> = {
  'catalog.units': { type: 'string', minLength: 1, examples: UNIT_NAMES },
  'catalog.commercialPolicies': { type: 'string', minLength: 1, examples: ['6f1c0d6e-0000-4000-8000-000000000001'] },
};

/** Descriptions of types whose values a schema alone does not explain. */
const TYPE_TEXTS: Partial<Readonly<Record<FieldType, string>>> = {
  integer: 'Integer, or its digits as text',
  decimal: 'Decimal number, or decimal text; taken by its digits, not as a float',
  money: 'Amount with at most two decimals that say something, as decimal text or number; taken by its digits',
  time: 'With an offset, best as RFC 3339 writes it; seconds may be absent, digits beyond 100 ns are cut off',
  date: 'Date of the calendar',
  'file-type': `${FILE_TYPE_NAMES.map((name) => `${FILE_TYPES[name]} \`${name}\``).join(', ')}; names in any case`,
};

/** Schemas of types of which Gondola writes one form, and reads several. */
const WRITTEN_SCHEMAS: Partial<typeof TYPE_SCHEMAS> = {
  choice: ({ choices = [], open }) => (open === true ? { type: 'string', examples: choices } : words(choices)),
  integer: ({ maximum }) => ({ type: 'integer', ...(maximum !== undefined && { format: 'int64', maximum }) }),
  time: () => ({ type: 'string', format: 'date-time', pattern: WRITTEN_TIME_PATTERN }),
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
  const { about, nullable, open, type } = spec;
  const own = (WRITTEN_SCHEMAS[type] ?? TYPE_SCHEMAS[type])(spec, refOf);
  const openness = open === true ? 'One of the examples; a later release may add words' : undefined;
  return described(nullable === true ? orNull(own) : own, [
    type === 'any' ? undefined : about,
    WRITTEN_TEXTS[type],
    openness,
  ]);
}

/** Schema of a field by its name: the values that the ERP may write. */
export function fieldSchema(name: string, spec: FieldSpec, refOf: RefOf): JsonSchema {
  const { choices, required, tenantNames, inPath, type } = spec;
  const own = choices === undefined ? TYPE_SCHEMAS[type](spec, refOf) : words(choices);
  const named = INTEGER_IDENTITIES.has(name) ? { ...own, type: ['string', 'integer'], minimum: 0 } : own;
  const confined = inPath === true ? { ...named, pattern: NO_DOT_SEGMENT } : named;
  const whole = tenantNames === undefined ? confined : NAMED_BY_TENANT[tenantNames];
  const alias = tenantNames === undefined ? undefined : `Or a name that the tenant's \`${tenantNames}\` maps`;
  const isNullable = required === undefined && type !== 'list' && type !== 'any';
  return described(isNullable ? orNull(whole) : whole, [spec.about, TYPE_TEXTS[type], alias]);
}

function described(schema: JsonSchema, texts: readonly (string | undefined)[]): JsonSchema {
  const about = texts.filter((text) => text !== undefined).join('. ');
  return { ...(about !== '' && { description: about }), ...schema };
}

function objectOf({ of }: FieldSpec, refOf: RefOf): JsonSchema {
  return of === undefined ? { type: 'object' } : refOf(of());
}

function words(choices: readonly string[]): JsonSchema {
  return { type: 'string', enum: choices };
}

function numeric({ min, above }: FieldSpec, type: 'integer' | 'number', digits: string): JsonSchema {
  const sign = min === undefined && above === undefined ? '-?' : '';
  return {
    type: [type, 'string'],
    ...(min !== undefined && { minimum: min }),
    ...(above !== undefined && { exclusiveMinimum: above }),
    pattern: `^${sign}${digits}$`,
    maxLength: MAX_DIGITS + 2,
  };
}

function inAnyCase(word: string): string {
  return Array.from(word, (letter) => `[${letter.toUpperCase()}${letter.toLowerCase()}]`).join('');
}
