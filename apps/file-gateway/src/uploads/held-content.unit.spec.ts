import { describe, expect, it } from '@jest/globals';
import type { NamedImage } from './held-content.ts';
import { holdImages, holdPdf, type HeldUpload } from './held-content.ts';

const image: HeldUpload = { uploadId: 'image', sha256: 'a', size: 10, mediaType: 'image/png' };
const pdf: HeldUpload = { uploadId: 'pdf', sha256: 'b', size: 10, mediaType: 'application/pdf' };
const found = new Map([image, pdf].map((upload) => [upload.uploadId, upload]));
const wanted = (...uploadIds: string[]): NamedImage[] =>
  uploadIds.map((uploadId, index) => ({ order: index + 1, uploadId, field: `images[${index}].content.uploadId` }));
const rules = { language: 'en', limitBytes: 100, fits: () => true, broken: new Set<string>() } as const;

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

  it('is no PDF by its name (rule 33)', () => {
    expect(codeOfPdf('image')).toBe('NOT_PDF');
    expect(codeOfPdf('gone')).toBe('UPLOAD_UNKNOWN');
  });
});
