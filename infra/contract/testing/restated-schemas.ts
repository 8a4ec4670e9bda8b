import { TIME_PATTERN } from '@gondola/shared/contract/time-patterns';
import type { JsonSchema, SchemaValue } from '@gondola/shared/schemas/json-schema';

/**
 * Schemas up to release 0.2.0 in the form of today, which says the same without what other languages cannot read. Not
 * needed once a later release is the last.
 */

/** Patterns with lookaheads, and one that left most of a time open, with their equivalents. */
export const RESTATED_PATTERNS: ReadonlyMap<string, string> = new Map([
  [
    String.raw`^(?!0(?:\.0+)?$)(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$`,
    String.raw`^(?:[1-9][0-9]*(?:\.[0-9]+)?|0\.0*[1-9][0-9]*)$`,
  ],
  [
    String.raw`^(?!(?:[\s\S]*[/\\])?\.{1,2}(?:[/\\]|$))`,
    String.raw`^(?:\.{0,2}[^./\\][^/\\]*|\.{3}[^/\\]*)?(?:[/\\](?:\.{0,2}[^./\\][^/\\]*|\.{3}[^/\\]*)?)*$`,
  ],
  [String.raw`^[^.]+(?:\.[0-9]{1,7})?(?:Z|[+-][0-9]{2}:[0-9]{2})$`, TIME_PATTERN],
]);

const FROM_ZERO = '^(?:0|[1-9][0-9]*)$';

/** Types of fields that a rule requires not to be null. */
const GIVEN_TYPES: Readonly<Record<string, string>> = { urls: 'array', storageIds: 'array' };

/** A released schema, restated; all else in it is unchanged. */
export function restated(schema: JsonSchema): JsonSchema {
  const { allOf, properties, ...rest } = restatedValue(schema, schema, '') as JsonSchema;
  if (properties === undefined) return { ...rest, ...(allOf !== undefined && { allOf }) };
  const rules = (allOf ?? []) as readonly JsonSchema[];
  const others = rules.filter((rule) => !isOfFields(rule));
  return {
    ...rest,
    properties: rules.filter(isOfFields).reduce(withRule, properties as JsonSchema),
    ...(others.length > 0 && { allOf: others }),
  };
}

/** A rule that says nothing but more of fields. */
function isOfFields(rule: JsonSchema): boolean {
  return Object.keys(rule).join() === 'properties';
}

function withRule(properties: JsonSchema, rule: JsonSchema): JsonSchema {
  const more = Object.entries(rule['properties'] as Record<string, JsonSchema>);
  return {
    ...properties,
    ...Object.fromEntries(more.map(([name, each]) => [name, { ...(properties[name] as JsonSchema), ...each }])),
  };
}

function restatedValue(value: SchemaValue, root: JsonSchema, name: string): SchemaValue {
  if (Array.isArray(value)) return value.map((each: SchemaValue) => restatedValue(each, root, name));
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as JsonSchema;
  const { pattern, not, anyOf, minimum } = schema;
  if (not !== undefined) return { type: GIVEN_TYPES[name] ?? 'string' };
  const entries = Object.entries(schema).map(([key, each]) => [key, restatedValue(each ?? null, root, key)]);
  return {
    ...(Object.fromEntries(entries) as JsonSchema),
    ...(typeof pattern === 'string' && { pattern: RESTATED_PATTERNS.get(pattern) ?? pattern }),
    // A number as text below its minimum was never taken.
    ...(pattern === FROM_ZERO && minimum === 1 && { pattern: '^[1-9][0-9]*$' }),
    ...(Array.isArray(anyOf) && mergedObjects(anyOf as readonly JsonSchema[], root)),
  };
}

/** Alternatives that are objects as one object: all fields, of which those of each alternative are required. */
function mergedObjects(alternatives: readonly JsonSchema[], root: JsonSchema): JsonSchema {
  const objects = alternatives.filter(({ $ref }) => typeof $ref === 'string').map((each) => definitionOf(each, root));
  if (objects.length < 2) return {};
  const fields = objects.flatMap(({ properties }) => Object.entries(properties as Record<string, JsonSchema>));
  const properties: Record<string, JsonSchema> = {};
  for (const [field, schema] of fields) {
    const words = [...wordsOf(properties[field]), ...wordsOf(schema)];
    properties[field] = { ...schema, ...(words.length > 0 && { enum: words }) };
  }
  const required = Object.keys(properties).filter((field) =>
    objects.every((each) => (each['required'] as readonly string[]).includes(field)),
  );
  const others = alternatives.filter(({ $ref }) => $ref === undefined);
  return { anyOf: [{ type: 'object', properties, required }, ...others] };
}

function definitionOf(schema: JsonSchema, root: JsonSchema): JsonSchema {
  const name = (schema['$ref'] as string).replace('#/$defs/', '');
  return (root['$defs'] as Record<string, JsonSchema>)[name]!;
}

function wordsOf(schema: JsonSchema | undefined): readonly SchemaValue[] {
  const { enum: words } = schema ?? {};
  return Array.isArray(words) ? (words as readonly SchemaValue[]) : [];
}
