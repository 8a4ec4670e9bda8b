import { describe, expect, it } from '@jest/globals';
import { pooledRandomBytes } from './trace.ts';

describe('pooledRandomBytes', () => {
  it('returns as many bytes as requested, and none of them twice', () => {
    const random = pooledRandomBytes();
    const drawn = Array.from({ length: 2_000 }, () => Buffer.from(random(24)).toString('hex'));
    expect(new Set(drawn).size).toBe(2_000);
    expect(new Set(drawn.map(({ length }) => length))).toEqual(new Set([48]));
    expect(random(100_000)).toHaveLength(100_000);
  });
});
