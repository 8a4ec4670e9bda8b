import { createHash, randomBytes } from 'node:crypto';
import type { RandomSource } from '../domain/guid.ts';

export const systemRandom: RandomSource = { bytes: randomBytes };

/** The same bytes for the same seed, in the order in which they are asked for. */
export function seededRandom(seed: string): RandomSource {
  let drawn = 0;
  return {
    bytes: (count) => {
      const blocks: Buffer[] = [];
      for (let length = 0; length < count; length += 32) {
        blocks.push(createHash('sha256').update(`${seed}:${drawn++}`).digest());
      }
      return Buffer.concat(blocks).subarray(0, count);
    },
  };
}
