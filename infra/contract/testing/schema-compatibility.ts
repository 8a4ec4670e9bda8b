import type { JsonSchema, SchemaValue } from '@gondola/shared/schemas/json-schema';

/**
 * Compatibility rules for the ERPs that write and read records by an older schema:
 *
 *   written by an ERP       valid records stay valid: no field becomes required, is lost or renamed; no type, word,
 *                           limit or pattern becomes narrower; no rule is added
 *   written by Gondola      readers' assumptions stay true: no field is lost, renamed, or newly absent or null; no
 *                           type becomes wider; no word is added, unless the older schema allows new words
 *
 * Both are one question: whether the reader accepts everything that the writer may write. A new optional field is
 * compatible.
 */
export function breaksOf(older: JsonSchema, newer: JsonSchema, writer: 'erp' | 'gondola'): string[] {
  const sides: readonly [Place, Place] = [
    { root: older, schema: older },
    { root: newer, schema: newer },
  ];
  return compare('', writer === 'erp' ? sides : [sides[1], sides[0]], writer, new Set());
}

/** A schema, and the document that resolves its references. */
interface Place {
  readonly root: JsonSchema;
  readonly schema: JsonSchema;
}

type Pair = readonly [written: Place, read: Place];

const LOWER_LIMITS = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems'];
const UPPER_LIMITS = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems'];
const EXACT = ['pattern', 'format', 'not', 'oneOf', 'multipleOf', 'minProperties', 'maxProperties'];

function compare(path: string, pair: Pair, writer: 'erp' | 'gondola', seen: Set<string>): string[] {
  const [written, read] = [resolved(pair[0]), resolved(pair[1])];
  const refs = `${text(pair[0].schema['$ref'])} ${text(pair[1].schema['$ref'])}`;
  if (pair[0].schema['$ref'] !== undefined && seen.has(refs)) return [];
  const known = new Set([...seen, refs]);
  if (written.schema['anyOf'] !== undefined || read.schema['anyOf'] !== undefined) {
    return alternatives(path, [written, read], writer, known);
  }
  return [
    ...valueBreaks(path, written.schema, read.schema),
    ...fieldBreaks(path, [written, read], writer, known),
    ...itemBreaks(path, [written, read], writer, known),
  ];
}

/** A pattern that the empty text does not match, a format, and words imply a length of at least one. */
function impliedLimit(schema: JsonSchema, keyword: string): number {
  const { pattern, format } = schema;
  if (keyword !== 'minLength') return -Infinity;
  const isNeverEmpty = typeof pattern === 'string' && !new RegExp(pattern, 'u').test('');
  const isOfWords = wordsOf(schema)?.every((word) => word !== '""') === true;
  return isNeverEmpty || format === 'uuid' || isOfWords ? 1 : -Infinity;
}

/** Each alternative of the written schema must match one of the read schema. */
function alternatives(path: string, [written, read]: Pair, writer: 'erp' | 'gondola', seen: Set<string>): string[] {
  const readers = alternativesOf(read);
  return alternativesOf(written).flatMap((one) => {
    const breaks = readers.map((other) => compare(path, [one, other], writer, seen));
    return breaks.some((found) => found.length === 0) ? [] : (breaks[0] ?? []);
  });
}

function valueBreaks(path: string, written: JsonSchema, read: JsonSchema): string[] {
  const breaks: string[] = [];
  const add = (what: string): void => void breaks.push(`${path || '/'}: ${what}`);
  const types = typesOf(written);
  const known = typesOf(read);
  if (known !== null && (types === null || types.some((type) => !known.includes(type)))) {
    add(`type ${types?.join('|') ?? 'any'} is not ${known.join('|')}`);
  }
  const words = wordsOf(written);
  const knownWords = wordsOf(read);
  // Up to 0.2.0 words that may grow were an enumeration with this mark.
  if (knownWords !== null && read['x-open'] !== true) {
    const others = words?.filter((word) => !knownWords.includes(word)) ?? ['any'];
    if (others.length > 0) add(`words ${others.join(' ')}`);
  }
  for (const keyword of LOWER_LIMITS)
    if (number(read[keyword], -Infinity) > number(written[keyword], impliedLimit(written, keyword))) add(keyword);
  for (const keyword of UPPER_LIMITS)
    if (number(read[keyword], Infinity) < number(written[keyword], Infinity)) add(keyword);
  for (const keyword of EXACT) {
    if (read[keyword] === undefined || isImplied(keyword, read)) continue;
    if (text(read[keyword]) !== text(written[keyword])) add(keyword);
  }
  const rules = new Set(list(written['allOf']).map(text));
  for (const rule of list(read['allOf'])) if (!rules.has(text(rule))) add(`rule ${text(rule)}`);
  return breaks;
}

/** A format of integers that its maximum implies. */
function isImplied(keyword: string, { format, maximum }: JsonSchema): boolean {
  return keyword === 'format' && format === 'int64' && number(maximum, Infinity) <= Number.MAX_SAFE_INTEGER;
}

function fieldBreaks(path: string, [written, read]: Pair, writer: 'erp' | 'gondola', seen: Set<string>): string[] {
  const breaks: string[] = [];
  const fields = record(written.schema['properties']);
  const known = record(read.schema['properties']);
  const promised = names(written.schema['required']);
  for (const name of names(read.schema['required'])) {
    if (!promised.includes(name)) breaks.push(`${path}/${name}: is required where it may be absent`);
  }
  const [older, newer] = writer === 'erp' ? [fields, known] : [known, fields];
  for (const name of Object.keys(older)) if (!Object.hasOwn(newer, name)) breaks.push(`${path}/${name}: is lost`);
  if (read.schema['additionalProperties'] === false && written.schema['additionalProperties'] !== false) {
    breaks.push(`${path || '/'}: is closed to other fields`);
  }
  for (const [name, schema] of Object.entries(fields)) {
    const other = known[name];
    if (other === undefined) continue;
    const pair: Pair = [
      { ...written, schema },
      { ...read, schema: other },
    ];
    breaks.push(...compare(`${path}/${name}`, pair, writer, seen));
  }
  return breaks;
}

function itemBreaks(path: string, [written, read]: Pair, writer: 'erp' | 'gondola', seen: Set<string>): string[] {
  const [items, known] = [written.schema['items'], read.schema['items']];
  if (known === undefined) return [];
  if (items === undefined) return [`${path || '/'}: items`];
  const pair: Pair = [
    { ...written, schema: items as JsonSchema },
    { ...read, schema: known as JsonSchema },
  ];
  return compare(`${path}[]`, pair, writer, seen);
}

function resolved({ root, schema }: Place): Place {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return { root, schema };
  return { root, schema: record(root['$defs'])[ref.replace('#/$defs/', '')] ?? {} };
}

function alternativesOf({ root, schema }: Place): Place[] {
  const { anyOf } = schema;
  if (!Array.isArray(anyOf)) return [{ root, schema }];
  return anyOf.flatMap((each: SchemaValue) => alternativesOf(resolved({ root, schema: each as JsonSchema })));
}

/** Types of a schema, or of its words; an integer is also a number. */
function typesOf(schema: JsonSchema): readonly string[] | null {
  const type = schema['type'] ?? typesOfWords(wordsOf(schema));
  if (type === null) return null;
  const types = [type].flat().map(String);
  return types.includes('number') ? [...types, 'integer'] : types;
}

function wordsOf(schema: JsonSchema): readonly string[] | null {
  const { enum: words, const: word } = schema;
  if (word !== undefined) return [text(word)];
  return words === undefined ? null : list(words).map(text);
}

function typesOfWords(words: readonly string[] | null): string[] | null {
  const types = words?.map((word) => (word === 'null' ? word : typeof JSON.parse(word)));
  return types === undefined ? null : [...new Set(types)];
}

function list(value: SchemaValue | undefined): readonly SchemaValue[] {
  return Array.isArray(value) ? (value as readonly SchemaValue[]) : [];
}

function names(value: SchemaValue | undefined): string[] {
  return list(value).filter((each) => typeof each === 'string');
}

function record(value: SchemaValue | undefined): Readonly<Record<string, JsonSchema>> {
  return (value ?? {}) as Readonly<Record<string, JsonSchema>>;
}

function number(value: SchemaValue | undefined, none: number): number {
  return typeof value === 'number' ? value : none;
}

function text(value: SchemaValue | undefined): string {
  return JSON.stringify(value) ?? '';
}
