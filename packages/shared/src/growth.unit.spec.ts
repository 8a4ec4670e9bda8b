import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { readCatalogRecord } from './catalog/catalog-record.ts';
import { prepareCategory } from './catalog/category-record.ts';
import { prepareBrand } from './catalog/brand-record.ts';
import { contentHash } from './files/content-hash.ts';
import { readFileCommand } from './files/file-command.ts';
import type { JsonRecord } from './json/json-digits.ts';
import { MAX_CATEGORIES, MAX_REPORTED } from './limits.ts';
import { prepareProduct } from './catalog/product-record.ts';
import { CREATE } from './testing/catalog-samples.ts';
import { DOUBLED_THRICE, growthOf, TRIPLED_THRICE } from './testing/growth.ts';
import { HOSTILE_RECORDS, parseHostile as parse } from './testing/hostile-json.ts';

/** The checks that apps apply to a record before they send anything. */
const JUDGED: readonly [what: string, work: (record: JsonRecord) => void][] = [
  ['a product', (record) => void productOf(record)],
  ['a brand', (record) => void prepareBrand(readCatalogRecord(record, 'en').content, null, { language: 'en' })],
  ['a category', (record) => void categoryOf(record)],
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

const SIZE = 30_000;
const LARGE = DOUBLED_THRICE * SIZE;
/** One for each category that a record may contain, since a tree is checked as a whole, and the listed reasons. */
const MOST_SENTENCES = MAX_CATEGORIES + 2 * MAX_REPORTED;
/** A listed reason is compared with about a hundred names. */
const MOST_COMPARISONS = MAX_REPORTED * 100;

describe('a hostile record', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  it.each(HOSTILE_RECORDS)(
    'is read and judged in time that at most triples when it doubles: %s',
    async (_what, text) => {
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
    },
  );

  it.each(HOSTILE_RECORDS)('has no more sentences written and names compared than are listed: %s', (_what, text) => {
    const record = parse(text(LARGE));
    // Each sentence replaces its placeholders once, and each comparison of names converts them to lower case.
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
