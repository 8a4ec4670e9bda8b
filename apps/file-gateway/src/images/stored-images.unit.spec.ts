import { describe, expect, it } from '@jest/globals';
import { imagesFromStored, storedImages } from './stored-images.ts';

const images = [
  { order: 1, sha256: 'a' },
  { order: 2, sha256: 'b' },
];

describe('the stored images of a SKU', () => {
  it('are read as they were, and by the last version as one set', () => {
    const known = { sets: [{ images, urls: ['u', 'v'] }], gone: ['w'] };
    const stored = storedImages(known);
    expect(imagesFromStored(stored)).toEqual(known);
    expect(stored).toMatchObject({ sha256ByOrder: { 1: 'a', 2: 'b' }, urls: ['u', 'v'] });
  });

  it('that the last version stored are one set', () => {
    const stored = { sha256ByOrder: { 1: 'a', 2: 'b' }, urls: ['u', 'v'] };
    expect(imagesFromStored(stored)).toEqual({ sets: [{ images, urls: ['u', 'v'] }], gone: [] });
    expect(imagesFromStored({ sha256ByOrder: {}, urls: [] })).toEqual({ sets: [], gone: [] });
  });
});
