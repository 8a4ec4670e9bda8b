import { Buffer } from 'node:buffer';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { invalidUtf8 } from './invalid-utf8.ts';

describe('the first byte that is not UTF-8', () => {
  it.each<[string, readonly number[], { at: number; byte: number } | null]>([
    ['ISO-8859-1 after ASCII', [0x50, 0xe3, 0x6f], { at: 1, byte: 0xe3 }],
    ['a beginning of U+FFFD that goes on otherwise', [0x41, 0xef, 0xbf, 0x41], { at: 1, byte: 0xef }],
    ['a character that is cut off', [0x41, 0xc3], { at: 1, byte: 0xc3 }],
    ['a lone continuation byte', [0x80], { at: 0, byte: 0x80 }],
    ['U+FFFD itself', [0xef, 0xbf, 0xbd], null],
    ['a byte order mark', [0xef, 0xbb, 0xbf, 0x41], null],
    ['nothing', [], null],
  ])('is found in %s', (_what, bytes, found) => {
    expect(invalidUtf8(Uint8Array.from(bytes))).toEqual(found);
  });

  it('is the one that was put behind any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.constantFrom(0xc0, 0xff, 0xf8), (text, byte) => {
        const before = Buffer.from(text);
        expect(invalidUtf8(before)).toBeNull();
        expect(invalidUtf8(Buffer.concat([before, Buffer.from([byte, 0x41])]))).toEqual({ at: before.length, byte });
      }),
    );
  });
});
