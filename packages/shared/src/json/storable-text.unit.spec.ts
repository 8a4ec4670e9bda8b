import { anyCharacter } from '../testing/any-character.ts';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isStorable, storable } from './storable-text.ts';

describe('text for PostgreSQL', () => {
  it.each([
    ['a\0b', 'ab'],
    ['a\ud800b', 'a\ufffdb'],
    ['\udc00', '\ufffd'],
    ['🧀 ã', '🧀 ã'],
    ['', ''],
  ])('%j becomes %j', (text, stored) => {
    expect(storable(text)).toBe(stored);
    expect(isStorable(text)).toBe(text === stored);
  });

  it('is storable whatever it was, and unchanged if it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        expect(isStorable(storable(text))).toBe(true);
        expect(storable(text) === text).toBe(isStorable(text));
      }),
    );
  });
});
