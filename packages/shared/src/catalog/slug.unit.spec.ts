import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { slugOf } from './slug.ts';
import { isSameCut, twoCuts } from '../testing/arbitrary-json.ts';

const reference = fc.string({
  unit: fc.constantFrom('a', 'A', '1', '-', '/', ' ', 'ç', '.'),
  minLength: 1,
  maxLength: 6,
});
const name = fc.string({ unit: fc.constantFrom('a', '1', '-', ' ', 'É'), minLength: 1, maxLength: 6 });

describe('slug', () => {
  it('is made of name and reference, and readable (rule 23)', () => {
    expect(slugOf('Queijo Minas Frescal – Peça', '4711')).toBe('queijo-minas-frescal-peca-4711');
    expect(slugOf('Pão & Cia', 'A/1')).toMatch(/^pao-cia-a-1--[0-9a-f]{16}$/);
    expect(slugOf('***', '4711')).toBe('p-4711');
  });

  it('never is the same for two references, whatever the names (rule 23)', () => {
    fc.assert(
      fc.property(reference, name, reference, name, (reference1, name1, reference2, name2) => {
        fc.pre(reference1 !== reference2);
        expect(slugOf(name1, reference1)).not.toBe(slugOf(name2, reference2));
      }),
      { numRuns: 3000 },
    );
  });

  it('is not confused by where one text is cut into name and reference (rule 23)', () => {
    fc.assert(
      fc.property(twoCuts('-', ['a', '1', 'B']), (cuts) => {
        const [one, other] = cuts.map(([start, end]) => slugOf(start, end));
        expect(one === other).toBe(isSameCut(cuts));
      }),
      { numRuns: 1000 },
    );
  });

  it("fits the platform's limit and keeps the reference whole (rule 23)", () => {
    const slug = slugOf('nome '.repeat(200), '9'.repeat(60));
    expect(slug.length).toBeLessThanOrEqual(400);
    expect(slug.endsWith(`-${'9'.repeat(60)}`)).toBe(true);
  });
});
