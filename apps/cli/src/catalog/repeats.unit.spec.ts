import { describe, expect, it } from '@jest/globals';
import { sayIn } from '../texts/texts.ts';
import { withRepeats } from './repeats.ts';

const check = (...texts: readonly (object | string)[]) => {
  const records = texts.map((each, index) => ({
    line: index + 1,
    text: typeof each === 'string' ? each : JSON.stringify(each),
  }));
  const valid = texts.map(() => ({ outcome: 'valid', errors: [], warnings: [], waitsFor: [] }));
  return withRepeats(records, valid, sayIn('en'));
};

describe('the product records of a file', () => {
  it('have a slug and a SKU under one product only', () => {
    const found = check(
      { externalReference: '1', slug: 'queijo', skus: [{ externalReference: 'a' }] },
      { externalReference: '2', slug: 'queijo', skus: [{ externalReference: 'b' }, { externalReference: 'a' }] },
      { externalReference: '3', slug: 'pao', skus: [{ externalReference: 'c' }] },
    );
    expect(found.map(({ outcome }) => outcome)).toEqual(['valid', 'invalid', 'valid']);
    expect(found[1]?.['errors']).toMatchObject([
      { field: 'slug', code: 'SLUG_TAKEN', hint: '1' },
      { skuExternalReference: 'a', field: 'externalReference', code: 'REFERENCE_IMMUTABLE', hint: '1' },
    ]);
  });

  it('may be about one product, which is said, whatever is alike in them', () => {
    const found = check({ externalReference: 4711, slug: 'x' }, { externalReference: '4711', slug: 'x' });
    expect(found[1]).toMatchObject({ outcome: 'valid', errors: [], warnings: [{ code: 'REPEATED', hint: ':1' }] });
    expect(found[0]).toMatchObject({ warnings: [] });
  });

  it('are left as they are where they cannot be read, or share nothing', () => {
    const [first, second] = check('{', { externalReference: '1', slug: '', skus: 7 });
    expect(first).toEqual({ outcome: 'valid', errors: [], warnings: [], waitsFor: [] });
    expect(second).toEqual({ outcome: 'valid', errors: [], warnings: [], waitsFor: [] });
  });
});
