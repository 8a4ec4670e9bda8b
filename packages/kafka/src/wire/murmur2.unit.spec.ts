import { createRequire } from 'node:module';

import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';

import { murmur2 } from './murmur2.ts';

const ownMurmur2 = createRequire(import.meta.url)(
  'kafkajs/src/producer/partitioners/default/murmur2.js',
) as typeof murmur2;

describe('murmur2', () => {
  it.each([
    ['', 275_646_681],
    ['21', -973_932_308],
    ['foobar', -790_332_482],
    ['a-little-bit-long-string', -985_981_536],
    ['a-little-bit-longer-string', -1_486_304_829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58_897_971],
  ])("computes for %j the value that Kafka's own tests expect", (key, hash) => {
    expect(murmur2(Buffer.from(key))).toBe(hash);
  });

  it('agrees with kafkajs for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 600 }), (array) => {
        const key = Buffer.from(array);
        expect(murmur2(key)).toBe(ownMurmur2(key));
      }),
      { numRuns: 500 },
    );
  });
});
