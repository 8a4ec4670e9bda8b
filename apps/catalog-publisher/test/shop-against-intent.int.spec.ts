import { describe, expect, it } from '@jest/globals';
import { playedProblems } from './intent/model.ts';

/** `INTENT_SEED` plays other runs. */
const SEEDS = (process.env['INTENT_SEED'] ?? '779693,283753').split(',').map(Number);

describe('random sequences of records and files, at a platform that loses answers and events', () => {
  it.each(SEEDS)('leave each shop with the newest value of each identity, seed %i (rules 16, 28, 30)', async (seed) => {
    expect(await playedProblems('cp-intent', seed, { shops: 3, steps: 5 })).toEqual([]);
  });
});
