import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { invoicePdf } from '../../test/support/contents.ts';
import { pdfFlaw } from './pdf-flaw.ts';

const ENCRYPTED = '/Encrypt 9 0 R';

describe('the flaw of a PDF', () => {
  it.each(['table', 'stream'] as const)('does not exist if its %s leads to the document (rule 33)', (form) => {
    expect(pdfFlaw(invoicePdf({ form }))).toBeNull();
    expect(pdfFlaw(Buffer.concat([Buffer.from('\uFEFF \n'), invoicePdf({ form })]))).toBeNull();
    expect(pdfFlaw(Buffer.concat([invoicePdf({ form }), Buffer.from('\r\n')]))).toBeNull();
  });

  it.each(['table', 'stream'] as const)('is that it is encrypted, by the %s', (form) => {
    for (const more of [
      ENCRYPTED,
      '/Encrypt<</Filter/Standard/V 2>>',
      '/Encr#79pt 9 0 R',
      `/ID[<00> (a\\)(b))]${ENCRYPTED}`,
    ])
      expect([more, pdfFlaw(invoicePdf({ form, more }))]).toEqual([more, 'encrypted']);
  });

  it('is not that it is encrypted where the word stands elsewhere', () => {
    for (const more of [
      '/Info (/Encrypt 9 0 R)',
      '/Info<</Encrypt 9 0 R>>',
      '/Info /Encrypt',
      '% /Encrypt 9 0 R\n',
      '/X [/Encrypt]',
    ])
      expect([more, pdfFlaw(invoicePdf({ more }))]).toEqual([more, null]);
    expect(pdfFlaw(invoicePdf({ body: ENCRYPTED }))).toBeNull();
  });

  it('is damage where anything is missing before its cross-reference', () => {
    const whole = invoicePdf();
    const reference = whole.lastIndexOf('xref\n0');
    const part = fc.tuple(fc.integer({ min: 8, max: reference - 1 }), fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(part, ([from, bytes]) => {
        const rest = [whole.subarray(0, from), whole.subarray(Math.min(from + bytes, reference))];
        expect(pdfFlaw(Buffer.concat(rest))).toBe('damaged');
      }),
    );
  });

  it('is damage where no trailer is found', () => {
    for (const content of ['', '%PDF-1.7', '%PDF-1.7\nstartxref\n0\n%%EOF', 'startxref\n999999999999999\n%%EOF'])
      expect(pdfFlaw(Buffer.from(content))).toBe('damaged');
    expect(pdfFlaw(invoicePdf({ root: '' }))).toBe('damaged');
    expect(pdfFlaw(invoicePdf({ more: '(never ends' }))).toBe('damaged');
  });

  it('is found for any bytes, cut and mutated files among them', () => {
    const whole = fc.constantFrom(invoicePdf(), invoicePdf({ form: 'stream', more: ENCRYPTED }));
    const mutated = fc
      .tuple(whole, fc.nat(), fc.nat(), fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 20 }))
      .map(([content, from, to, changes]) => {
        const bytes = Buffer.from(content);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes.subarray(from % bytes.length, (to % bytes.length) + 1);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          mutated,
          fc.uint8Array().map((bytes) => Buffer.from(bytes)),
        ),
        (content) => {
          expect(['damaged', 'encrypted', null]).toContain(pdfFlaw(content));
        },
      ),
      { numRuns: 500 },
    );
  });

  it.each([
    ['dictionaries in dictionaries', '<<'],
    ['strings in strings', '('],
    ['names', '/a'],
    ['hexadecimal strings that never end', '<0'],
    ['trailers', 'trailer '],
    ['comments', '%'],
    ['white space', ' '],
  ])('is found in bounded time: %s without end', (_what, piece) => {
    const more = piece.repeat(10_000_000 / piece.length);
    expect(pdfFlaw(invoicePdf({ more }))).toBe('damaged');
    expect(pdfFlaw(invoicePdf({ body: more }))).toBeNull();
  });
});
