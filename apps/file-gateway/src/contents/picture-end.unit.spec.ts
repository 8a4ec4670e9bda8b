import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import sharp from 'sharp';
import { hasEnd } from './picture-end.ts';

const FORMATS = [['png'], ['jpeg'], ['webp'], ['gif']] as const;
type Format = (typeof FORMATS)[number][0];

/** A picture of these pixels. */
async function pictureOf(format: Format, pixels: Uint8Array, side: number): Promise<Buffer> {
  const raw = { width: side, height: side, channels: 3 } as const;
  return sharp(pixels, { raw }).toFormat(format).toBuffer();
}

const drawn = fc
  .integer({ min: 8, max: 40 })
  .chain((side) =>
    fc.tuple(fc.constant(side), fc.uint8Array({ minLength: side * side * 3, maxLength: side * side * 3 })),
  );

/** The picture with this one within it, as a preview. */
function withPreview(jpeg: Buffer, preview: Buffer): Buffer {
  const head = Buffer.from([0xff, 0xe2, 0, 0]);
  head.writeUInt16BE(2 + preview.length, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, preview, jpeg.subarray(2)]);
}

describe('the end of a picture', () => {
  it.each(FORMATS)('is there, and is missed wherever the picture is cut off: %s', async (format) => {
    const property = fc.asyncProperty(
      drawn,
      fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      async ([side, pixels], share) => {
        const whole = await pictureOf(format, pixels, side);
        expect(hasEnd(format, whole)).toBe(true);
        for (const missing of [1, 2, 3, 1 + Math.floor(share * (whole.length - 1))])
          expect(hasEnd(format, whole.subarray(0, whole.length - missing))).toBe(false);
      },
    );
    await fc.assert(property, { numRuns: 50 });
  });

  it.each(FORMATS)('is there if something follows it: %s', async (format) => {
    const whole = await pictureOf(format, new Uint8Array(8 * 8 * 3), 8);
    expect(hasEnd(format, Buffer.concat([whole, Buffer.alloc(5_000, 0xff)]))).toBe(true);
  });

  it('is that of the picture, not of its preview', async () => {
    const preview = await pictureOf('jpeg', new Uint8Array(8 * 8 * 3), 8);
    const whole = withPreview(await pictureOf('jpeg', new Uint8Array(16 * 16 * 3), 16), preview);
    expect((await sharp(whole).metadata()).width).toBe(16);
    expect(hasEnd('jpeg', whole)).toBe(true);
    expect(hasEnd('jpeg', whole.subarray(0, -2))).toBe(false);
  });

  it('of a progressive JPEG is behind its last scan', async () => {
    const pixels = Uint8Array.from({ length: 64 * 64 * 3 }, (_, at) => (at * 7_919) % 251);
    const whole = await sharp(pixels, { raw: { width: 64, height: 64, channels: 3 } })
      .jpeg({ progressive: true })
      .toBuffer();
    expect(hasEnd('jpeg', whole)).toBe(true);
    for (let missing = 1; missing < whole.length; missing += 7)
      expect(hasEnd('jpeg', whole.subarray(0, whole.length - missing))).toBe(false);
  });

  it('is looked for in any bytes without an error', () => {
    const bytes = fc.uint8Array({ maxLength: 400 });
    fc.assert(
      fc.property(fc.constantFrom(...FORMATS), bytes, ([format], any) => {
        expect([true, false]).toContain(hasEnd(format, Buffer.from(any)));
      }),
    );
  });
});
