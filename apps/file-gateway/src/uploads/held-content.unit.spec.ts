import { describe, expect, it } from '@jest/globals';
import type { ContentFault } from './content-verdict.ts';
import type { NamedImage } from './held-content.ts';
import { holdImages, holdPdf, type HeldUpload } from './held-content.ts';

const image: HeldUpload = { uploadId: 'image', sha256: 'a', size: 10, mediaType: 'image/png' };
const pdf: HeldUpload = { uploadId: 'pdf', sha256: 'b', size: 10, mediaType: 'application/pdf' };
const found = new Map([image, pdf].map((upload) => [upload.uploadId, upload]));
const wanted = (...uploadIds: string[]): NamedImage[] =>
  uploadIds.map((uploadId, index) => ({ order: index + 1, uploadId, field: `images[${index}].content.uploadId` }));
const rules = { language: 'en', limitBytes: 100, fits: () => true, faults: new Map<string, ContentFault>() } as const;

function codeOfPdf(uploadId: string): string | undefined {
  const judged = holdPdf({ uploadId, field: 'content.uploadId' }, found, rules);
  return judged.kind === 'invalid' ? judged.errors[0]?.code : undefined;
}

describe('content that a command names', () => {
  it('is held with what it is, one upload for several places too (rule 32)', () => {
    expect(holdImages(wanted('image', 'image'), found, rules)).toEqual({
      kind: 'held',
      content: [
        { ...image, order: 1 },
        { ...image, order: 2 },
      ],
    });
    expect(holdPdf({ uploadId: 'pdf', field: 'content.uploadId' }, found, rules)).toEqual({
      kind: 'held',
      content: pdf,
    });
  });

  it('is reported image by image where it is unknown, no image, or too large (rules 31, 32)', () => {
    const judged = holdImages(wanted('gone', 'pdf', 'image', 'image'), found, {
      ...rules,
      fits: ({ order }) => order !== 3,
    });
    expect(judged.kind === 'invalid' && judged.errors.map(({ code, field }) => [code, field])).toEqual([
      ['UPLOAD_UNKNOWN', 'images[0].content.uploadId'],
      ['NOT_IMAGE', 'images[1].content.uploadId'],
      ['CONTENT_NOT_ALLOWED', 'images[2].content.uploadId'],
    ]);
  });

  it.each<[string, ContentFault, string, string | RegExp]>([
    ['was cut off', { kind: 'cut-off' }, 'NOT_IMAGE', /ends before its content does: it was cut off/],
    ['is damaged', { kind: 'damaged' }, 'NOT_IMAGE', /is damaged and cannot be decoded/],
    ['is an archive too', { kind: 'mixed', also: 'archive' }, 'NOT_IMAGE', /is a ZIP archive as well/],
    ['is a PDF too', { kind: 'mixed', also: 'pdf' }, 'NOT_IMAGE', /is a PDF as well/],
    ['is a page too', { kind: 'mixed', also: 'page' }, 'NOT_IMAGE', /is a page with a script as well/],
    ['is a program too', { kind: 'mixed', also: 'program' }, 'NOT_IMAGE', /is a PHP program as well/],
    [
      'has too many pixels',
      { kind: 'pixels', width: 60_000, height: 50_000, limit: 100_000_000 },
      'CONTENT_NOT_ALLOWED',
      /60000 × 50000 pixels, all frames together: 3000000000, and the limit is 100000000\. Send a smaller/,
    ],
    [
      'takes too much memory',
      { kind: 'bytes', width: 10_000, height: 10_000, bytes: 871_500_000, limit: 500_000_000 },
      'CONTENT_NOT_ALLOWED',
      /takes 872 MB of memory to be decoded, and the limit is 500 MB\. Send a smaller one, or a JPEG or PNG that is neither/,
    ],
    ['took too much memory', { kind: 'memory', limit: 650_000_000 }, 'CONTENT_NOT_ALLOWED', /the limit of 650 MB/],
    ['took too long', { kind: 'time', limit: 20_000 }, 'CONTENT_NOT_ALLOWED', /could not be decoded in 20 s\. Send/],
  ])('is reported with its cause, its value and its limit where it %s (rule 32)', (_what, fault, code, hint) => {
    const faults = new Map([['image', fault]]);
    const judged = holdImages(wanted('image'), found, { ...rules, faults });
    const expected = { code, field: 'images[0].content.uploadId', hint: expect.stringMatching(hint) };
    expect(judged.kind === 'invalid' && judged.errors).toEqual([expect.objectContaining(expected)]);
  });

  it('is reported with what it is where it is of the other media type (rules 32, 33)', () => {
    const asImage = holdImages(wanted('pdf'), found, rules);
    expect(asImage).toMatchObject({ errors: [{ code: 'NOT_IMAGE', hint: expect.stringContaining('is a PDF') }] });
    const asPdf = holdPdf({ uploadId: 'image', field: 'content.uploadId' }, found, { ...rules, language: 'pt-BR' });
    expect(asPdf).toMatchObject({ errors: [{ code: 'NOT_PDF', hint: expect.stringContaining('DANFE em PDF') }] });
  });

  it('is no PDF by its name (rule 33)', () => {
    expect(codeOfPdf('image')).toBe('NOT_PDF');
    expect(codeOfPdf('gone')).toBe('UPLOAD_UNKNOWN');
  });
});
