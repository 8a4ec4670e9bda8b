import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SLUG_PATTERN, slugOf } from './slug.ts';
import { isSameCut, twoCuts } from '../testing/arbitrary-json.ts';

const reference = fc.string({
  unit: fc.constantFrom('a', 'A', '1', '-', '/', ' ', 'ç', '.'),
  minLength: 1,
  maxLength: 6,
});
const PATTERNS = [
  '{name}-{reference}',
  '{reference}-{name}',
  '{reference}',
  'loja-{name}-{reference}-sp',
  'loja-1-{reference}-{name}-a',
];
const name = fc.string({ unit: fc.constantFrom('a', '1', '-', ' ', 'É'), minLength: 1, maxLength: 6 });

describe('slug', () => {
  it('is made of name and reference, and readable (rule 23)', () => {
    expect(slugOf('Queijo Minas Frescal – Peça', '4711')).toBe('queijo-minas-frescal-peca-4711');
    expect(slugOf('Pão & Cia', 'A/1')).toMatch(/^pao-cia-a-1--[0-9a-f]{16}$/);
    expect(slugOf('***', '4711')).toBe('p-4711');
  });

  it('differs for different references, whatever the names (rule 23)', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PATTERNS),
        reference,
        name,
        reference,
        name,
        (pattern, ...[of1, name1, of2, name2]) => {
          fc.pre(of1 !== of2);
          expect(slugOf(name1, of1, pattern)).not.toBe(slugOf(name2, of2, pattern));
        },
      ),
      { numRuns: 3000 },
    );
  });

  it('has the tenant’s form (rule 23)', () => {
    expect(PATTERNS.map((pattern) => slugOf('Queijo Minas', '4711', pattern))).toEqual([
      'queijo-minas-4711',
      '4711-queijo-minas',
      '4711',
      'loja-queijo-minas-4711-sp',
      'loja-1-4711-queijo-minas-a',
    ]);
    expect(slugOf('Queijo', 'A/1', '{reference}-{name}')).toMatch(/^[0-9a-f]{16}--a-1-queijo$/);
    expect(slugOf('$&', '4711', '{name}-{reference}')).toBe('p-4711');
    expect(PATTERNS.every((pattern) => SLUG_PATTERN.test(pattern))).toBe(true);
    const wrong = [
      '{name}',
      '',
      '{reference}{name}',
      'Loja-{reference}',
      '{reference}-{reference}',
      'a--{reference}',
      '-{reference}',
    ];
    expect(wrong.filter((pattern) => SLUG_PATTERN.test(pattern))).toEqual([]);
  });

  it('differs if the same text is divided differently into name and reference (rule 23)', () => {
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
    for (const pattern of PATTERNS) {
      const long = slugOf('nome '.repeat(200), '9'.repeat(60), pattern);
      expect([long.length <= 400, long.includes('9'.repeat(60))]).toEqual([true, true]);
    }
  });
});
