import { describe, expect, it } from '@jest/globals';
import { costOf, decodedBytes, type PictureHeader } from './picture-header.ts';

const MOST_PIXELS = 100_000_000;
/** 50 megapixels of a camera. */
const PHOTO: PictureHeader = {
  format: 'jpeg',
  width: 8_192,
  height: 6_144,
  channels: 3,
  depth: 'uchar',
  isProgressive: false,
};
const LARGE = { width: 10_000, height: 10_000 };

describe('what decoding a picture takes', () => {
  it.each<[string, Partial<PictureHeader>]>([
    ['JPEG', { format: 'jpeg' }],
    ['progressive JPEG', { format: 'jpeg', isProgressive: true, chromaSubsampling: '4:4:4' }],
    ['PNG with transparency', { format: 'png', channels: 4 }],
    ['interlaced PNG with transparency', { format: 'png', channels: 4, isProgressive: true }],
    ['WebP with transparency', { format: 'webp', channels: 4 }],
    ['GIF', { format: 'gif', channels: 4 }],
  ])('is allowed for 50 megapixels of 8 bits: %s (rule 32)', (_form, header) => {
    expect(costOf({ ...PHOTO, ...header }, MOST_PIXELS)).toBeNull();
  });

  it.each<[string, Partial<PictureHeader>, number]>([
    ['a JPEG', LARGE, 27],
    ['a progressive JPEG', { ...LARGE, isProgressive: true, chromaSubsampling: '4:2:0' }, 327],
    ['a progressive JPEG of whole colours', { ...LARGE, isProgressive: true, chromaSubsampling: '4:4:4' }, 627],
    ['a PNG of 16 bits', { ...LARGE, format: 'png', channels: 4, depth: 'ushort' }, 72],
    ['an interlaced one', { ...LARGE, format: 'png', channels: 4, depth: 'ushort', isProgressive: true }, 872],
    ['a WebP', { ...LARGE, format: 'webp' }, 927],
    ['an animation of ten frames', { ...LARGE, format: 'webp', pages: 10, pageHeight: 1_000 }, 187],
    ['an animated GIF', { ...LARGE, format: 'gif', pages: 10, pageHeight: 1_000 }, 117],
    ['very wide rows', { format: 'png', width: 1_000_000, height: 100, channels: 4, depth: 'ushort' }, 7_200],
  ])('is counted by its form, not by its pixels alone: %s (rule 32)', (_form, header, megabytes) => {
    const bytes = megabytes * 1_000_000;
    const { width, height } = { ...PHOTO, ...header };
    expect(decodedBytes({ ...PHOTO, ...header })).toBe(bytes);
    const refused = { kind: 'bytes', width, height, bytes, limit: 500_000_000 };
    expect(costOf({ ...PHOTO, ...header }, MOST_PIXELS)).toEqual(megabytes > 500 ? refused : null);
  });

  it('is too much with more pixels than the setting allows, of all frames (rule 32)', () => {
    const animation: PictureHeader = { ...PHOTO, format: 'gif', width: 1_000, height: 200_000, pageHeight: 1_000 };
    const expected = { kind: 'pixels', width: 1_000, height: 200_000, limit: MOST_PIXELS };
    expect(costOf(animation, MOST_PIXELS)).toEqual(expected);
  });
});
