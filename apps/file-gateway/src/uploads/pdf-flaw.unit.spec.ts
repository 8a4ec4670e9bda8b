import * as fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { invoicePdf } from '../../test/support/contents.ts';
import { PDF_FLAWS, pdfFlaw } from './pdf-flaw.ts';

const ENCRYPTED = '/Encrypt 9 0 R';

const BOUNDARY = '\r\n--=_boundary_7--\r\n';
const HTML = '<!doctype html><html><body>An object was not found</body></html>\n';
const PRINT_JOB = '\u001B%-12345X@PJL JOB\n@PJL ENTER LANGUAGE=PDF\n';
/** Bytes that stand around PDFs: any, blank ones, and those of print jobs, mails and pages. */
const around = (maxLength: number, ...texts: string[]): fc.Arbitrary<Buffer> =>
  fc
    .oneof(
      fc.uint8Array({ maxLength, size: 'max' }).map((bytes) => Buffer.from(bytes)),
      fc.nat({ max: maxLength }).map((length) => Buffer.alloc(length)),
      fc.nat({ max: maxLength }).map((length) => Buffer.alloc(length, ' \r\n')),
      fc.constantFrom(...texts.map((text) => Buffer.from(text, 'latin1'))),
    )
    .filter((bytes) => bytes.length <= maxLength);
const before = around(1_000, PRINT_JOB, `Content-Type: application/pdf\r\n\r\n`, HTML);
const behind = around(9_000, BOUNDARY, HTML.repeat(100), '\u001B%-12345X@PJL EOJ\r\n', '%%EOF\n', 'startxref\n');

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

  it.each(['table', 'stream'] as const)('is that other bytes surround it, by the %s (rule 33)', (form) => {
    fc.assert(
      fc.property(before, behind, fc.boolean(), fc.constantFrom('', ENCRYPTED), (prefix, suffix, isShifted, more) => {
        // A writer counts offsets from the file's beginning or from its header.
        const whole = invoicePdf({ form, more, from: isShifted ? prefix.length : 0 });
        const flaw = pdfFlaw(Buffer.concat([prefix, whole, suffix]));
        const isBlank = [prefix, suffix].every((bytes) => /^[\s\0]*$/.test(bytes.toString('latin1')));
        // The end of the PDF has a line break of its own.
        const isAlone = isBlank && suffix.length < 1_024;
        expect(flaw).toBe(more === ENCRYPTED ? 'encrypted' : isAlone ? null : 'surrounded');
      }),
      { numRuns: 300 },
    );
  });

  it('is that it was cut off wherever that was, although an earlier revision has its end', () => {
    const whole = invoicePdf();
    const second =
      '4 0 obj\n<< /Title (second) >>\nendobj\nxref\n4 1\n0000000400 00000 n \ntrailer\n<< /Size 5 /Root 1 0 R /Prev';
    const update = Buffer.from(`${second} 1 >>\nstartxref\n${whole.length + second.indexOf('xref')}\n%%EOF\n`);
    const both = Buffer.concat([whole, update]);
    expect(pdfFlaw(both)).toBeNull();
    const object = whole.length + '4 0 obj'.length;
    const within = fc.oneof(
      fc.integer({ min: 8, max: whole.length - '%%EOF\n'.length }),
      fc.integer({ min: object, max: both.length - '%%EOF\n'.length }),
    );
    fc.assert(fc.property(within, (bytes) => expect(pdfFlaw(both.subarray(0, bytes))).toBe('cut-off')));
  });

  it('is that it was cut off where it has no end, and damage where no trailer is found', () => {
    for (const content of ['', '%PDF-1.7', '%PDF-1.7\nstartxref\n0\n', '%PDF-1.7\n%%EOF'])
      expect(pdfFlaw(Buffer.from(content))).toBe('cut-off');
    for (const content of [
      '%PDF-1.7\nstartxref\n0\n%%EOF',
      '%PDF-1.7\nstartxref\n%%EOF',
      'startxref\n999999999999999\n%%EOF',
    ])
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
          expect(['cut-off', ...PDF_FLAWS, null]).toContain(pdfFlaw(content));
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

  it.each(['startxref ', 'startxref 1 ', '%%EOF', ' obj', '1 0 ob', '\0'])(
    'is found in bounded time: %j without end, behind it',
    (piece) => {
      const more = piece.repeat(10_000_000 / piece.length);
      expect([...PDF_FLAWS]).toContain(pdfFlaw(Buffer.concat([invoicePdf(), Buffer.from(more)])));
      expect(pdfFlaw(Buffer.from(`%PDF-1.7\n${more}`))).toBe('cut-off');
    },
  );
});
