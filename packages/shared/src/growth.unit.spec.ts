import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readCatalogRecord } from './catalog/catalog-record.ts';
import { prepareCategory } from './catalog/category-record.ts';
import { prepareBrand } from './catalog/brand-record.ts';
import { contentHash } from './files/content-hash.ts';
import { readFileCommand } from './files/file-command.ts';
import { type JsonRecord, tryParseWithDigits } from './json/json-digits.ts';
import { MAX_CATEGORIES, MAX_REPORTED } from './limits.ts';
import { readOrderCommand } from './orders/order-command.ts';
import { prepareProduct } from './catalog/product-record.ts';
import { CREATE } from './testing/catalog-samples.ts';
import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from './testing/growth.ts';

/** Records that ask for work without a bound, of about as many bytes as `size`. */
const HOSTILE: readonly [what: string, text: (size: number) => string][] = [
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

/** Lists that all kinds of record look into, one in the place of each other's. */
function lists(count: number, entry: (n: number) => string): string {
  const share = Math.ceil(count / LISTS.length);
  return LISTS.map((name) => `"${name}":[${Array.from({ length: share }, (_, n) => entry(n)).join(',')}]`).join(',');
}

const LISTS = ['skus', 'items', 'images', 'children', 'urls'];

/** How any app judges a record before anything is sent. */
const JUDGED: readonly [what: string, work: (record: JsonRecord) => void][] = [
  ['a product', (record) => void productOf(record)],
  ['a brand', (record) => void prepareBrand(readCatalogRecord(record, 'en').content, null, { language: 'en' })],
  ['a category', (record) => void categoryOf(record)],
  ['an order command', (record) => void readOrderCommand({ ...record, command: 'ReportPicking' }, 'pt-BR')],
  ['a file command', (record) => void readFileCommand({ ...record, command: 'PublishSkuImages' }, 'pt-BR')],
  ['a removal', (record) => void readFileCommand({ ...record, command: 'RemoveFiles' }, 'pt-BR')],
];

const WORK: typeof JUDGED = [['the hash of its content', (record) => void contentHash(record)], ...JUDGED];

function productOf(record: JsonRecord) {
  return prepareProduct(readCatalogRecord(record, 'pt-BR').content, CREATE);
}

function categoryOf(record: JsonRecord) {
  const { content } = readCatalogRecord(record, 'en');
  return prepareCategory(content, { language: 'en', known: new Map(), parents: new Map() });
}

function parse(text: string): JsonRecord {
  return (tryParseWithDigits(text) ?? {}) as JsonRecord;
}

const SIZE = 30_000;
const LARGE = DOUBLED_THRICE * SIZE;
/** One for each category that a record may hold, which are judged as a whole, and what is listed. */
const MOST_SENTENCES = MAX_CATEGORIES + 2 * MAX_REPORTED;
/** Of a listed reason with about a hundred names. */
const MOST_COMPARISONS = MAX_REPORTED * 100;

describe('a hostile record', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(HOSTILE)('is read and judged in time that at most triples when it doubles: %s', async (_what, text) => {
    const [small, large] = [text(SIZE), text(LARGE)];
    const [one, other] = [parse(small), parse(large)];
    const reading = await growthOf(
      () => parse(small),
      () => parse(large),
      TRIPLED_THRICE,
    );
    const growths: [what: string, growth: number][] = [['reading', reading]];
    for (const [as, work] of WORK) {
      const growth = await growthOf(
        () => work(one),
        () => work(other),
        TRIPLED_THRICE,
      );
      growths.push([as, growth]);
    }
    expect(growths.filter(([, growth]) => growth > TRIPLED_THRICE)).toEqual([]);
  });

  it.each(HOSTILE)('has no more sentences written and names compared than are listed: %s', (_what, text) => {
    const record = parse(text(LARGE));
    // A sentence has its placeholders replaced, and case is left aside when names are compared.
    const sentences = jest.spyOn(String.prototype, 'replaceAll');
    const comparisons = jest.spyOn(String.prototype, 'toLowerCase');
    const counts = JUDGED.map(([as, work]) => {
      sentences.mockClear();
      comparisons.mockClear();
      work(record);
      return [as, sentences.mock.calls.length, comparisons.mock.calls.length] as const;
    });
    expect(counts.filter(([, written, compared]) => written > MOST_SENTENCES || compared > MOST_COMPARISONS)).toEqual(
      [],
    );
  });
});
