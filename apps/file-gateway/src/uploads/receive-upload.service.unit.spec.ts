import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { inChunks } from './receive-upload.service.ts';

async function* piecesOf(pieces: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* pieces;
}

describe('content in pieces for storing', () => {
  it('is the same bytes whatever the pieces it came in, each of the size but the last (rule 31)', async () => {
    const pieces = fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(pieces, fc.integer({ min: 1, max: 60 }), async (given, size) => {
        const chunks: Buffer[] = [];
        for await (const chunk of inChunks(piecesOf(given), size)) chunks.push(chunk);
        expect(Buffer.concat(chunks)).toEqual(Buffer.concat(given));
        for (const [index, chunk] of chunks.entries()) {
          expect(chunk.length === size || (index === chunks.length - 1 && chunk.length > 0)).toBe(true);
        }
      }),
    );
  });
});
