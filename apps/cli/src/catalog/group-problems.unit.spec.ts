import { describe, expect, it } from '@jest/globals';
import { groupProblems } from './group-problems.ts';

const records = [1, 2, 3, 4, 5].map((line) => ({ line, text: `{"externalReference":"${line}"}` }));
const limit = (field: string) => ({ field, code: 'LIMIT', message: 'too long' });

describe('the problems of a file', () => {
  it('are grouped by reason and field, errors first, with counts of records and the first examples', () => {
    const checked = records.map((_record, index) => ({
      outcome: index === 4 ? 'valid' : 'invalid',
      errors: index === 4 ? [] : [limit('name'), limit('skus[0].ean'), limit('skus[1].ean')],
      warnings:
        index < 2 ? [{ field: 'ean', code: 'GTIN_INVALID', message: 'x', skuExternalReference: 's', hint: 'h' }] : [],
      waitsFor: index === 4 ? [{ kind: 'brand', externalReference: 'serra' }] : [],
    }));
    const found = groupProblems(records, checked);
    expect(found).toMatchObject({ checked: 5, outcomes: { invalid: 4, valid: 1 } });
    expect(found.groups.map(({ level, code, field, records: count }) => [level, code, field, count])).toEqual([
      ['error', 'LIMIT', 'name', 4],
      ['error', 'LIMIT', 'skus[].ean', 4],
      ['waits', 'WAITS', 'brand', 1],
      ['warning', 'GTIN_INVALID', 'ean', 2],
    ]);
    expect(found.groups[0]?.examples.map(({ line }) => line)).toEqual([1, 2, 3]);
    expect(found.groups[2]?.examples).toEqual([{ line: 5, externalReference: '5', hint: 'serra' }]);
    expect(found.groups[3]?.examples[0]).toMatchObject({ skuExternalReference: 's', hint: 'h' });
  });

  it('in lines that are no JSON are named by line', () => {
    const found = groupProblems(
      [{ line: 7, text: '{' }],
      [{ outcome: 'unreadable', errors: [{ field: '', code: 'NOT_JSON', message: 'x' }] }],
    );
    expect(found.groups).toMatchObject([{ code: 'NOT_JSON', examples: [{ line: 7, externalReference: null }] }]);
  });
});
