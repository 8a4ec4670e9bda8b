import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allFaults } from './chaos/all-faults.ts';
import { problemsIn } from './chaos/books.ts';
import { ChaosRun } from './chaos/chaos-run.ts';
import { effectsIn } from './chaos/replay.ts';
import type { Evidence } from './chaos/evidence.ts';

const SEED = Number(process.env['CHAOS_SEED'] ?? 20_261_121);

describe(`a merchant's work with all faults that its books can judge, seed ${SEED}`, () => {
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
    expect(evidence.faults.filter(({ struck }) => struck === 0)).toEqual([]);
    const kinds = new Set(allFaults(SEED).map(({ kind }) => kind));
    expect(new Set(evidence.faults.map(({ fault }) => fault.kind))).toEqual(kinds);
  });

  it('has late calls that newer ones overtook, and orders that the shop put back', () => {
    const { overtaken, reopened } = effectsIn(evidence);
    expect(overtaken).toBeGreaterThan(0);
    expect(reopened).toBeGreaterThan(0);
  });
});
