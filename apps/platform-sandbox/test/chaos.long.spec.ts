import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allFaults } from './chaos/all-faults.ts';
import { problemsIn } from './chaos/books.ts';
import { ChaosRun } from './chaos/chaos-run.ts';
import type { Evidence } from './chaos/evidence.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_121);

describe(`a merchant's work with every fault on, seed ${SEED}`, () => {
  let run: ChaosRun;
  let evidence: Evidence;

  beforeAll(async () => {
    run = await ChaosRun.open(SEED, { products: 5_000, orders: 2_000 });
    evidence = await run.play();
  });
  afterAll(() => run.close());

  it('ends with consistent books: each accepted request has exactly its effect', () => {
    expect(problemsIn(evidence)).toEqual([]);
  });

  it('has met every fault', () => {
    const struck = Object.entries(evidence.strikes).filter(([, count]) => count > 0);
    const kinds = new Set(allFaults(SEED).map((fault) => (fault as { kind: string }).kind));
    expect(new Set(struck.map(([kind]) => kind))).toEqual(kinds);
  });
});
