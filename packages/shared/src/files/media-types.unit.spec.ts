import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { mediaTypeOf, otherContentOf, SNIFFED_BYTES } from './media-types.ts';

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))));

describe('the kind of a content by its first bytes', () => {
  it.each<[string, string, Uint8Array]>([
    ['a PNG', 'image/png', bytes([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], 'IHDR')],
    ['a JPEG', 'image/jpeg', bytes([0xff, 0xd8, 0xff, 0xe0], 'JFIF')],
    ['a GIF', 'image/gif', bytes('GIF89a')],
    ['a WebP', 'image/webp', bytes('RIFF', [0x0a, 0, 0, 0], 'WEBPVP8 ')],
    ['a PDF', 'application/pdf', bytes('%PDF-1.7\n')],
    ['a PDF behind a byte order mark', 'application/pdf', bytes([0xef, 0xbb, 0xbf], '\r\n%PDF-1.4')],
  ])('%s is %s (rules 32, 33)', (_, mediaType, head) => {
    expect(mediaTypeOf(head)).toBe(mediaType);
    expect(otherContentOf(head)).toBeNull();
  });

  it.each<[string, Uint8Array]>([
    ['nothing', bytes()],
    ['half a signature', bytes([0x89, 0x50, 0x4e])],
    ['a RIFF that is a sound', bytes('RIFF', [0, 0, 0, 0], 'WAVE')],
    ['HTML that speaks of PDF', bytes('<html>PDF-1.7')],
    ['a ZIP', bytes('PK', [3, 4])],
  ])('%s is neither image nor PDF', (_, head) => {
    expect(mediaTypeOf(head)).toBeNull();
    expect(otherContentOf(head)).toBeNull();
  });

  it('is a PDF with its header in the first 1,024 bytes, whatever stands before it (rule 33)', () => {
    const header = '%PDF-1';
    const length = fc.oneof(fc.nat({ max: 1_200 }), fc.constantFrom(1_017, 1_018, 1_019));
    const before = length
      .chain((exactly) => fc.uint8Array({ minLength: exactly, maxLength: exactly }))
      .filter((some) => mediaTypeOf(some) === null);
    fc.assert(
      fc.property(before, (some) => {
        const isThere = some.length + header.length <= 1_024;
        expect(mediaTypeOf(bytes([...some], header, '.4\n'))).toBe(isThere ? 'application/pdf' : null);
      }),
    );
  });

  it.each<[string, Uint8Array]>([
    ['HEIC', bytes([0, 0, 0, 0x18], 'ftypheic', [0, 0, 0, 0], 'mif1heic')],
    ['HEIC', bytes([0, 0, 0, 0x18], 'ftypmif1', [0, 0, 0, 0], 'mif1heic')],
    ['AVIF', bytes([0, 0, 0, 0x1c], 'ftypavif')],
    ['TIFF', bytes('II*', [0], 'abcd')],
    ['TIFF', bytes('MM', [0], '*abcd')],
    ['BMP', bytes('BM', [0x36, 0x10, 0, 0, 0, 0, 0, 0, 0x36])],
    ['SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['SVG', bytes('<?xml version="1.0"?><!-- a -->\n<svg>')],
  ])('is named where pictures of another format are sent: %s (rule 32)', (name, head) => {
    expect(otherContentOf(head)).toBe(name);
    expect(mediaTypeOf(head)).toBeNull();
  });

  it.each([
    '<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe>',
    '\n <NFe xmlns="http://www.portalfiscal.inf.br/nfe">',
    '<?xml version="1.0"?>\n<ns0:nfeProc>',
    '<enviNFe>',
  ])('the XML of an NF-e is recognised among others: %j (rule 33)', (text) => {
    expect(otherContentOf(bytes(text))).toBe('NF-e');
    expect(otherContentOf(bytes([0xef, 0xbb, 0xbf], text))).toBe('NF-e');
    expect(mediaTypeOf(bytes(text))).toBeNull();
  });

  it('is found for any bytes, by no more than the first of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (head) => {
        const longer = Buffer.concat([head, Buffer.alloc(SNIFFED_BYTES, 0x20), Buffer.from('<NFe >')]);
        expect(mediaTypeOf(longer)).toBe(mediaTypeOf(Buffer.concat([head, Buffer.alloc(SNIFFED_BYTES, 0x20)])));
        expect(otherContentOf(longer)).not.toBe('NF-e');
      }),
    );
  });
});
