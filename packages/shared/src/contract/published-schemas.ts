import type { PublishedSpec, PublishedType } from '../schemas/published.decorators.ts';
import { type Dto, type JsonSchema, orNull } from '../schemas/json-schema.ts';

/** Schemas of the fields that Gondola writes. */

const TYPE_SCHEMAS: Readonly<Record<Exclude<PublishedType, 'record'>, (spec: PublishedSpec) => JsonSchema>> = {
  text: () => ({ type: 'string' }),
  word: ({ choices = [], open }) => ({ type: 'string', enum: choices, ...(open === true && { 'x-open': true }) }),
  integer: () => ({ type: 'integer' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  time: () => ({ type: 'string', format: 'date-time' }),
  date: () => ({ type: 'string', format: 'date' }),
  money: () => ({ type: 'string', pattern: String.raw`^-?[0-9]+\.[0-9]{2,}$` }),
  decimal: () => ({ type: 'string', pattern: String.raw`^-?[0-9]+(?:\.[0-9]*[1-9])?$` }),
  json: () => ({}),
};

const TYPE_TEXTS: Partial<Readonly<Record<PublishedType, string>>> = {
  money: 'Decimal text with at least two decimals, never rounded',
  decimal: 'Decimal text without trailing zeros',
  time: 'With an offset',
};

/** Schema of a field: the guarantees for a reader. */
export function publishedSchema(spec: PublishedSpec, refOf: (dto: Dto) => JsonSchema): JsonSchema {
  const one = spec.type === 'record' ? recordSchema(spec, refOf) : TYPE_SCHEMAS[spec.type](spec);
  const whole: JsonSchema = spec.list === true ? { type: 'array', items: one } : one;
  const openness = spec.open === true ? 'A later release may add words' : undefined;
  const about = [spec.about, TYPE_TEXTS[spec.type], openness].filter((text) => text !== undefined).join('. ');
  return { ...(about !== '' && { description: about }), ...(spec.nullable === true ? orNull(whole) : whole) };
}

function recordSchema({ of }: PublishedSpec, refOf: (dto: Dto) => JsonSchema): JsonSchema {
  const dtos = of === undefined ? [] : [of()].flat();
  const [only, ...others] = dtos;
  if (only === undefined) return { type: 'object' };
  return others.length === 0 ? refOf(only) : { anyOf: dtos.map(refOf) };
}
