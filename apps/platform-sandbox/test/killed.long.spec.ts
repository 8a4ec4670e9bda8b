import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { problemsIn } from './chaos/books.ts';
import { ChaosRun } from './chaos/chaos-run.ts';
import { between } from './chaos/dice.ts';
import { effectsIn } from './chaos/replay.ts';
import type { Evidence } from './chaos/evidence.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_122);
const KILLS = 10;
/** Number of deliveries between two kills. */
const STRETCH = 60;

describe(`a sandbox that is killed while it works, and restarted on its data folder, seed ${SEED}`, () => {
  let run: ChaosRun;
  let evidence: Evidence;

  beforeAll(async () => {
    run = await ChaosRun.open(SEED, {
      products: 250,
      orders: 150,
      killAfter: (dice) =>
        Array.from({ length: KILLS }, (_, n) => between(dice, `kill ${n}`, n * STRETCH + 5, (n + 1) * STRETCH)),
    });
    evidence = await run.play();
  });
  afterAll(() => run.close());

  it('loses and repeats nothing', () => {
    expect(run.kills).toBe(KILLS);
    expect(problemsIn(evidence)).toEqual([]);
  });

  it('has met every fault, late calls that newer ones overtook, and orders that the shop put back', () => {
    expect(evidence.faults.filter(({ struck }) => struck === 0)).toEqual([]);
    const { overtaken, reopened } = effectsIn(evidence);
    expect(overtaken).toBeGreaterThan(0);
    expect(reopened).toBeGreaterThan(0);
  });
});
