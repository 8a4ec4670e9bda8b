import { describe, expect, it } from '@jest/globals';

import { multiRow } from './multi-row.ts';

describe('multiRow', () => {
  it('types the first row and numbers the parameters', () => {
    const [chunk] = multiRow(['a', 'b'], ['text', 'integer'], (item) => [item, 1]);
    expect(chunk).toEqual({ items: ['a', 'b'], tuples: '($1::text,$2::integer),($3,$4)', values: ['a', 1, 'b', 1] });
  });

  it('splits rows that would need too many parameters, and keeps the order', () => {
    const items = Array.from({ length: 40_000 }, (_, index) => index);
    const chunks = [...multiRow(items, ['integer', 'integer'], (item) => [item, item])];
    expect(Math.max(...chunks.map(({ values }) => values.length))).toBeLessThanOrEqual(65_535);
    expect(chunks.flatMap((chunk) => chunk.items)).toEqual(items);
    expect(chunks[1]?.tuples).toMatch(/^\(\$1::integer,\$2::integer\)/);
  });

  it('returns nothing for no rows', () => {
    expect([...multiRow([], ['text'], () => ['x'])]).toEqual([]);
  });
});
