import type { JsonSchema, SchemaValue } from '@gondola/shared/schemas/json-schema';

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
const SCHEMA = ['items', 'additionalProperties', 'not', 'if', 'then', 'else', 'contains', 'propertyNames'];
const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['properties', '$defs', 'patternProperties'];

/** Lookaround, named groups, back-references, and classes that engines read differently or not at all. */
const FOREIGN_PATTERN = /\(\?(?!:)|\\[1-9kdDwWsSbBpP]/;

/** Integers that may exceed 32 bits. */
const LONG = new Set(['orderNumber', 'revision']);

/**
 * Parts of a schema that generators and validators of other languages cannot read, each as its path and the fault: a
 * pattern beyond the regular languages, a keyword of our own, a union whose alternatives a reader cannot tell apart, a
 * schema that only forbids, words without a type, a definition without its name, a long integer without its format, a
 * time without its pattern.
 */
export function foreignParts(schema: JsonSchema, path = '', name = ''): string[] {
  const inner = (key: string, each: SchemaValue | undefined, called = '') =>
    isSchema(each) ? foreignParts(each, `${path}/${key}`, called) : [];
  const named = BY_NAME.flatMap((key) =>
    Object.entries(isSchema(schema[key]) ? schema[key] : {}).flatMap(([called, each]) =>
      inner(`${key}/${called}`, each, called),
    ),
  );
  return [
    ...faultsOf(schema, name, path.includes('/allOf/')).map((fault) => `${path || '/'}: ${fault}`),
    ...definitionFaults(schema),
    ...named,
    ...SCHEMA.flatMap((key) => inner(key, schema[key])),
    ...LISTS.flatMap((key) => listOf(schema[key]).flatMap((each, index) => inner(`${key}/${index}`, each))),
  ];
}

function faultsOf(schema: JsonSchema, name: string, isRule: boolean): string[] {
  const { type, pattern, format, maximum } = schema;
  const types: readonly unknown[] = [type].flat();
  const ofUnions = [...listOf(schema['anyOf']), ...listOf(schema['oneOf'])].filter(isSchema);
  const faults: readonly (readonly [boolean, string])[] = [
    [typeof pattern === 'string' && FOREIGN_PATTERN.test(pattern), 'a pattern that other engines lack'],
    [Object.keys(schema).some((keyword) => keyword.startsWith('x-')), 'a keyword of our own'],
    [schema['not'] !== undefined, 'a schema that only forbids'],
    [ofUnions.length > 0 && !isRule && !isNullable(ofUnions), 'alternatives that cannot be told apart'],
    [hasWords(schema) && type === undefined && !isRule, 'words without a type'],
    [LONG.has(name) && types.includes('integer') && (format !== 'int64' || maximum === undefined), 'a long integer'],
    [format === 'date-time' && pattern === undefined, 'a time without its pattern'],
  ];
  return faults.flatMap(([isFaulty, fault]) => (isFaulty ? [fault] : []));
}

function definitionFaults({ $defs }: JsonSchema): string[] {
  return Object.entries(isSchema($defs) ? $defs : {}).flatMap(([name, definition]) =>
    isSchema(definition) && definition['title'] === name ? [] : [`/$defs/${name}: a definition without its name`],
  );
}

/** A schema or null; all else is a union. */
function isNullable(alternatives: readonly JsonSchema[]): boolean {
  return alternatives.length === 2 && alternatives.some(({ type }) => type === 'null');
}

function hasWords(schema: JsonSchema): boolean {
  return schema['enum'] !== undefined || schema['const'] !== undefined;
}

function isSchema(value: SchemaValue | undefined): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(value: SchemaValue | undefined): readonly SchemaValue[] {
  return Array.isArray(value) ? (value as readonly SchemaValue[]) : [];
}
