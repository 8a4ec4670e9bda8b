import { type JsonRecord, tryParseWithDigits } from '../json/json-digits.ts';
import type { ReasonCode } from '../outcomes/reason-codes.ts';

/** A record that would cause work without limit, and a code that the errors of its one result must contain. */
export interface HostileJson {
  /** Value of its `commandId` or `recordId`. */
  readonly id: string;
  readonly text: string;
  readonly code: ReasonCode;
  /** True if there are more errors than are listed. */
  readonly isCut: boolean;
}

/**
 * JSON with a readable identity and hostile content: each must be `invalid`, and none may delay the records after
 * it.
 *
 * @param own the fields of a valid record of the topic, as JSON without braces, for an id
 * @param label prefix of the ids
 */
export function hostileJson(own: (id: string) => string, label = 'hostile'): HostileJson[] {
  const hostile = (id: string, fields: string, code: ReasonCode, isCut = false): HostileJson => ({
    id: `${label}-${id}`,
    text: `{${own(`${label}-${id}`)},${fields}}`,
    code,
    isCut,
  });
  const keys = Array.from({ length: 60_000 }, (_, n) => `"k${n}":1`).join(',');
  return [
    hostile('digits', `"x":1${'0'.repeat(499_998)}1`, 'LIMIT'),
    hostile('exponent', '"x":1e1000000000', 'LIMIT'),
    hostile('keys', keys, 'FIELD_UNKNOWN', true),
    hostile('entries', `"x":[${'{},'.repeat(100_000)}{}]`, 'FIELD_UNKNOWN'),
    hostile('inherited', '"__proto__":{"x":1},"constructor":1,"toString":null', 'FIELD_UNKNOWN'),
  ];
}

/** JSON whose identity is unreadable: each must become a dead letter. */
export const UNREADABLE_JSON: readonly Pick<HostileJson, 'text' | 'code'>[] = [
  {
    text: `{"commandId":"${'9'.repeat(900_000)}","externalReference":"${'9'.repeat(1_000)}"}`,
    code: 'IDENTITY_MISSING',
  },
  {
    text: `{"commandId":"nested","externalReference":"nested","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`,
    code: 'NOT_JSON',
  },
];

/** Records that would cause work without limit, each of about `size` bytes. */
export const HOSTILE_RECORDS: readonly [what: string, text: (size: number) => string][] = [
  ['a number 1000…0001', (size) => recordWith(`"weight":1${'0'.repeat(size)}1`)],
  ['a fraction 0.000…0001', (size) => recordWith(`"weight":0.${'0'.repeat(size)}1`)],
  [
    'numbers as text',
    (size) => recordWith(`"weight":"1${'0'.repeat(size / 2)}1","punctuation":"${'1'.repeat(size / 2)}"`),
  ],
  ['a long exponent', (size) => recordWith(`"weight":1e${'9'.repeat(size)},"punctuation":1e1000000000`)],
  ['unknown keys', (size) => recordWith(keys(size / 14))],
  ['entries with unknown keys', (size) => recordWith(lists(size / 1_400, () => `{${keys(100)}}`))],
  ['empty entries', (size) => recordWith(lists(size / 3, () => '{}'))],
  ['entries that are no objects', (size) => recordWith(lists(size / 2, () => '1'))],
  ['entries with a reference', (size) => recordWith(lists(size / 28, (n) => `{"externalReference":"${n}"}`))],
  ['one entry again and again', (size) => recordWith(lists(size / 28, () => '{"externalReference":"r"}'))],
  ['a long text', (size) => recordWith(`"name":"${'ç'.repeat(size / 2)}","reason":"${' '.repeat(size / 2)}"`)],
  ['a long key', (size) => recordWith(`"${'price'.repeat(size / 5)}":1`)],
  ['many long numbers', (size) => recordWith(lists(size / 81, () => `1${'0'.repeat(78)}1`))],
  ['nested lists', (size) => recordWith(`"x":${'['.repeat(size / 2)}${']'.repeat(size / 2)}`)],
  [
    'wide lists in each other',
    (size) => recordWith(`"x":${'['.repeat(200)}${'[],'.repeat(size / 3)}1${']'.repeat(200)}`),
  ],
];

function recordWith(fields: string): string {
  return `{"externalReference":"4711","commandId":"c","orderNumber":1,"skuExternalReference":"s",${fields}}`;
}

function keys(count: number): string {
  return Array.from({ length: count }, (_, n) => `"chave${n}":1`).join(',');
}

/** Lists of every kind of record, all filled with the same entries. */
function lists(count: number, entry: (n: number) => string): string {
  const share = Math.ceil(count / LISTS.length);
  return LISTS.map((name) => `"${name}":[${Array.from({ length: share }, (_, n) => entry(n)).join(',')}]`).join(',');
}

const LISTS = ['skus', 'items', 'images', 'children', 'urls'];

export function parseHostile(text: string): JsonRecord {
  return (tryParseWithDigits(text) ?? {}) as JsonRecord;
}
