import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

describe('texts of any character', () => {
  it('are well-formed, and some contain rare characters or names such as __proto__', () => {
    const texts = fc.sample(fc.string({ unit: anyCharacter }), { numRuns: 1_000, seed: 1 });
    expect(texts.filter((text) => !text.isWellFormed())).toEqual([]);
    expect(texts.some((text) => /[\ue000-\uffff]/u.test(text))).toBe(true);
    expect(texts.some((text) => /[\u{10000}-\u{10ffff}]/u.test(text))).toBe(true);
    expect(texts.some((text) => text.includes('__proto__'))).toBe(true);
  });

  it('consist of no half of a surrogate pair, also where fast-check shrinks a given text', () => {
    const texts = ['a', '\u{10ffff}', '\ud800', '\udfff', 'ab', ''];
    const taken = texts.filter((text) => anyCharacter.canShrinkWithoutContext(text));
    expect(taken).toEqual(['a', '\u{10ffff}']);
  });
});
