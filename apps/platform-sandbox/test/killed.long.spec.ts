import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allFaults } from './chaos/all-faults.ts';
import { problemsIn } from './chaos/books.ts';
import { ChaosRun } from './chaos/chaos-run.ts';
import { between, diceOf } from './chaos/dice.ts';
import type { Evidence } from './chaos/evidence.ts';
import { plannedOrders } from './chaos/planned-orders.ts';
import { plannedProducts } from './chaos/planned-products.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_122);
/** A run that stands still ends by itself; one that is only slow may be. */
const LIMIT_MS = 3_600_000;
const KILLS = 10;
/** Every kill has its own stretch of this many deliveries. */
const STRETCH = 60;

describe(`a sandbox that is killed with work under way, and started again on its database, seed ${SEED}`, () => {
  let run: ChaosRun;
  let evidence: Evidence;

  beforeAll(async () => {
    const dice = diceOf(SEED);
    run = await ChaosRun.open({
      dice,
      products: plannedProducts(dice, 250),
      orders: plannedOrders(dice, 150),
      faults: allFaults(SEED),
      killAfter: Array.from({ length: KILLS }, (_, n) =>
        between(dice, `kill ${n}`, n * STRETCH + 5, (n + 1) * STRETCH),
      ),
    });
    evidence = await run.play();
  }, LIMIT_MS);
  afterAll(() => run.close());

  it('loses nothing and doubles nothing', () => {
    expect(run.kills).toBe(KILLS);
    expect(problemsIn(evidence)).toEqual([]);
  });
});
