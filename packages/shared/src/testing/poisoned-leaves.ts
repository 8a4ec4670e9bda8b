import type { JsonRecord, JsonValue } from '../json/json-digits.ts';

/** JSON texts with something unusual in the place of one value, for tests that try each place with each poison. */

export type JsonPath = readonly (string | number)[];

/** Letters that no compression makes shorter: an index measures its entries compressed. */
function noise(length: number, seed: number): string {
  let state = seed;
  const letter = (): string => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return String.fromCodePoint(97 + (state % 26));
  };
  return Array.from({ length }, letter).join('');
}

/** JSON texts that PostgreSQL refuses, that an index cannot hold, or that have another type than the document's. */
export const POISONS: Readonly<Record<string, string>> = {
  'a NUL': String.raw`"a\u0000b"`,
  'only a NUL': String.raw`"\u0000"`,
  'half a surrogate': String.raw`"a\ud83d"`,
  'the other half': String.raw`"\ude00b"`,
  '4 kB': `"${noise(4_096, 7)}"`,
  '10 kB': `"${noise(10_240, 11)}"`,
  '3 kB in two bytes each': `"${noise(1_500, 13).replaceAll(/[a-m]/g, 'ç')}"`,
  'a quoting text': String.raw`"'\"\\{},$1%"`,
  'an empty text': '""',
  'digits as text': '"300"',
  'an impossible time': '"2026-13-45T29:61:61"',
  'a time long gone': '"0000-00-00T00:00:00"',
  zero: '0',
  'a negative number': '-1',
  'a fraction': '0.1',
  'a huge number': '1e400',
  'a number of 400 digits': `1${'0'.repeat(398)}1`,
  'above all integers': '9007199254740993',
  true: 'true',
  false: 'false',
  null: 'null',
  'an object': '{"id":{"id":[]}}',
  'an empty object': '{}',
  'a list': '[1,"a",null,{"skuId":7}]',
  'an empty list': '[]',
};

/** JSON texts of property names: those of `POISONS` that are text, and names that JavaScript's objects inherit. */
export const POISONED_NAMES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(POISONS).filter(([, json]) => json.startsWith('"'))),
  'the prototype': '"__proto__"',
  'a method of all objects': '"toString"',
};

/** Paths of all values below a value, of objects and lists as well as of leaves. */
export function pathsBelow(value: JsonValue, path: JsonPath = []): JsonPath[] {
  const inner: [string | number, JsonValue][] = Array.isArray(value)
    ? value.map((each: JsonValue, index) => [index, each])
    : typeof value === 'object' && value !== null
      ? Object.entries(value as JsonRecord)
      : [];
  return inner.flatMap(([key, each]) => [[...path, key], ...pathsBelow(each, [...path, key])]);
}

const MARK = '@poison@';

/** JSON text of a value with another JSON text at a path of it. */
export function poisonedAt(value: JsonValue, path: JsonPath, poison: string): string {
  return JSON.stringify(replaced(value, path)).replace(`"${MARK}"`, () => poison);
}

/** JSON text of a value with another name, given as JSON text, for the property at a path that ends with a name. */
export function renamedAt(value: JsonValue, path: JsonPath, name: string): string {
  return JSON.stringify(renamed(value, path)).replace(`"${MARK}"`, () => name);
}

function renamed(value: JsonValue, [key, ...rest]: JsonPath): JsonValue {
  if (Array.isArray(value)) return value.map((each: JsonValue, index) => (index === key ? renamed(each, rest) : each));
  const fields = Object.entries(value as JsonRecord);
  if (rest.length === 0) return Object.fromEntries(fields.map(([name, each]) => [name === key ? MARK : name, each]));
  return Object.fromEntries(fields.map(([name, each]) => [name, name === key ? renamed(each, rest) : each]));
}

function replaced(value: JsonValue, [key, ...rest]: JsonPath): JsonValue {
  if (key === undefined) return MARK;
  if (Array.isArray(value)) return value.map((each: JsonValue, index) => (index === key ? replaced(each, rest) : each));
  const record = value as JsonRecord;
  return { ...record, [key]: replaced(record[key] ?? null, rest) };
}
