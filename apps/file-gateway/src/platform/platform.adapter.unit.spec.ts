import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { imageOf } from '../../test/support/uploads.ts';
import { PlatformAdapter } from './platform.adapter.ts';

const adapter = new PlatformAdapter(
  {
    of: () => {
      throw new Error('Nothing is sent');
    },
  },
  { chunks: () => (async function* () {})() },
);
const sizeOf = (sizes: readonly number[]) =>
  adapter.sizeOfImages(
    '4711-1',
    sizes.map((size, index) => imageOf(index + 1, `sha-${index}`, size)),
  );

describe('the size of a request of images', () => {
  it('is that of an empty one and what each image adds, whatever the images (rule 32)', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 10_000_000 }), { maxLength: 9 }), (sizes) => {
        const empty = sizeOf([]);
        const added = sizes.reduce((sum, size) => sum + sizeOf([size]) - empty, empty);
        expect(sizeOf(sizes)).toBe(added);
      }),
    );
  });
});
