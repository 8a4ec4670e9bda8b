import { describe, expect, it } from '@jest/globals';
import { isAssumed, readAssumedReferences, referencesOf } from './known-references.ts';

const assume = (setting: Record<string, unknown>) => {
  const read = readAssumedReferences(setting);
  if (!read.ok) throw new Error(read.key);
  return read.assumed;
};
const frios = { kind: 'category', externalReference: 'FRIOS' } as const;

describe('the references of a product', () => {
  it('are the brand and category that it names, but for those that it already has (rule 24)', () => {
    const body = { brandExternalReference: 'serra', categoryExternalReference: 'frios' };
    expect(referencesOf(body, {}).map(({ kind }) => kind)).toEqual(['brand', 'category']);
    expect(referencesOf(body, { brandExternalReference: 'serra' })).toMatchObject([{ externalReference: 'frios' }]);
    expect(referencesOf({ brandExternalReference: null, categoryExternalReference: '' }, {})).toEqual([]);
  });

  it('may be assumed: all of a kind, or those of a list (rule 24)', () => {
    expect(isAssumed(assume({}), frios)).toBe(false);
    expect(isAssumed(assume({ categories: true }), frios)).toBe(true);
    expect(isAssumed(assume({ categories: false, brands: true }), frios)).toBe(false);
    expect(isAssumed(assume({ categories: ['FRIOS'] }), frios)).toBe(true);
    expect(isAssumed(assume({ categories: ['OUTRA'] }), frios)).toBe(false);
  });

  it.each([[{ category: true }], [{ brands: 'all' }], [{ categories: [1] }]])('%j is no assumption', (setting) => {
    expect(readAssumedReferences(setting)).toMatchObject({ ok: false });
  });
});
