import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { measureLz4 } from './lz4-frame.ts';
import { COMPRESSION_NAMES, COMPRESSIONS } from '../testing/test-codecs.ts';
import { unpack } from './unpack.ts';

const LARGE = 10_000_000;
/** Repetitive like text, so that matches of all lengths occur. */
const content = fc
  .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.nat({ max: 400 })), { maxLength: 60 })
  .map((parts) =>
    Buffer.concat(parts.flatMap(([part, times]) => Array.from({ length: times }, () => Buffer.from(part)))),
  );

function outcomeOf(codec: number, packed: Buffer): Promise<string> {
  return unpack(codec, packed, LARGE).then(
    () => 'unpacked',
    (error: unknown) => String((error as { code?: unknown }).code),
  );
}

describe('unpacking', () => {
  it.each(COMPRESSION_NAMES)('restores the compressed bytes (%s)', async (name) => {
    const { codec, compress } = COMPRESSIONS[name];
    await fc.assert(
      fc.asyncProperty(content, async (bytes) => {
        expect((await unpack(codec, await compress(bytes), LARGE)).equals(bytes)).toBe(true);
      }),
      { numRuns: 40 },
    );
  });

  it.each(COMPRESSION_NAMES)('refuses or unpacks any other bytes, and fails in no other way (%s)', async (name) => {
    const { codec } = COMPRESSIONS[name];
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 300 }), async (bytes) => {
        expect(await outcomeOf(codec, Buffer.from(bytes))).toMatch(/^(unpacked|BATCH_UNREADABLE)$/);
      }),
      { numRuns: 100 },
    );
  });

  it.each(COMPRESSION_NAMES)('refuses bytes cut off at any point, or unpacks their beginning (%s)', async (name) => {
    const { codec, compress } = COMPRESSIONS[name];
    const packed = await compress(Buffer.from('some text, some text, '.repeat(3_000)));
    for (let length = 0; length < packed.length; length += 7) {
      expect(await outcomeOf(codec, packed.subarray(0, length))).toMatch(/^(unpacked|BATCH_UNREADABLE)$/);
    }
  });

  it.each(COMPRESSION_NAMES)('stops at its limit (%s)', async (name) => {
    const { codec, compress } = COMPRESSIONS[name];
    const packed = await compress(Buffer.alloc(200_000));
    await expect(unpack(codec, packed, 199_999)).rejects.toThrow('passa de 199999 bytes');
    expect(await unpack(codec, packed, 200_000)).toHaveLength(200_000);
  });

  it('counts the unpacked bytes of an LZ4 frame', async () => {
    await fc.assert(
      fc.asyncProperty(content, fc.boolean(), async (bytes, withChecksums) => {
        const frame = await COMPRESSIONS[withChecksums ? 'lz4 with checksums' : 'lz4'].compress(bytes);
        expect(measureLz4(Buffer.concat([frame, Buffer.from('more')]))).toEqual({
          bytes: frame.length,
          unpackedBytes: bytes.length,
        });
      }),
      { numRuns: 60 },
    );
  });
});
