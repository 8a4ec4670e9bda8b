import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allFaults } from './chaos/all-faults.ts';
import { problemsIn } from './chaos/books.ts';
import { ChaosRun } from './chaos/chaos-run.ts';
import { diceOf } from './chaos/dice.ts';
import type { Evidence } from './chaos/evidence.ts';
import { plannedOrders } from './chaos/planned-orders.ts';
import { plannedProducts } from './chaos/planned-products.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_121);
/** A run that stands still ends by itself; one that is only slow may be. */
const LIMIT_MS = 7_200_000;

describe(`a merchant's work with every fault on, seed ${SEED}`, () => {
  let run: ChaosRun;
  let evidence: Evidence;

  beforeAll(async () => {
    const dice = diceOf(SEED);
    run = await ChaosRun.open({
      dice,
      products: plannedProducts(dice, 5_000),
      orders: plannedOrders(dice, 2_000),
      faults: allFaults(SEED),
      killAfter: [],
    });
    evidence = await run.play();
  }, LIMIT_MS);
  afterAll(() => run.close());

  it('ends with books that add up: each accepted request has exactly its effect', () => {
    expect(problemsIn(evidence)).toEqual([]);
  });

  it('has met every fault', () => {
    const struck = Object.entries(evidence.strikes).filter(([, count]) => count > 0);
    const kinds = new Set(allFaults(SEED).map((fault) => (fault as { kind: string }).kind));
    expect(new Set(struck.map(([kind]) => kind))).toEqual(kinds);
  });
});
