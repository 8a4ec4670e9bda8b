import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { SNIFFED_BYTES, isNfeXml, mediaTypeOf } from './media-types.ts';

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
    expect(isNfeXml(head)).toBe(false);
  });

  it.each<[string, Uint8Array]>([
    ['nothing', bytes()],
    ['half a signature', bytes([0x89, 0x50, 0x4e])],
    ['a RIFF that is a sound', bytes('RIFF', [0, 0, 0, 0], 'WAVE')],
    ['HTML that speaks of a PDF', bytes('<html>%PDF-1.7')],
    ['an SVG', bytes('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a ZIP', bytes('PK', [3, 4])],
  ])('%s is neither image nor PDF', (_, head) => {
    expect(mediaTypeOf(head)).toBeNull();
    expect(isNfeXml(head)).toBe(false);
  });

  it.each([
    '<?xml version="1.0" encoding="UTF-8"?><nfeProc versao="4.00" xmlns="http://www.portalfiscal.inf.br/nfe"><NFe>',
    '\n <NFe xmlns="http://www.portalfiscal.inf.br/nfe">',
    '<?xml version="1.0"?>\n<ns0:nfeProc>',
    '<enviNFe>',
  ])('the XML of an NF-e is recognised among others: %j (rule 33)', (text) => {
    expect(isNfeXml(bytes(text))).toBe(true);
    expect(isNfeXml(bytes([0xef, 0xbb, 0xbf], text))).toBe(true);
    expect(mediaTypeOf(bytes(text))).toBeNull();
  });

  it('is found for any bytes, by no more than the first of them', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (head) => {
        const longer = Buffer.concat([head, Buffer.alloc(SNIFFED_BYTES, 0x20), Buffer.from('<NFe >')]);
        expect(mediaTypeOf(longer)).toBe(mediaTypeOf(Buffer.concat([head, Buffer.alloc(SNIFFED_BYTES, 0x20)])));
        expect(typeof isNfeXml(head)).toBe('boolean');
      }),
    );
  });
});
