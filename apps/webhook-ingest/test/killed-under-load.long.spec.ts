import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { IngestBench } from './support/ingest-bench.ts';
import { Replicas } from './load/replicas.ts';
import { planDisturbances } from './load/planned-disturbances.ts';
import { loadRound } from './load/load-round.ts';

const REPLICAS = 2;
const KILLS = 20;
const SEED = 'killed under load';

let bench: IngestBench;
let replicas: Replicas;

beforeAll(async () => {
  bench = await IngestBench.open('killed');
  replicas = await Replicas.start(bench, REPLICAS);
});

afterAll(async () => {
  await bench.close();
});

describe('a replica that is killed under load, holder of the relay or not', () => {
  it(`costs nothing: ${KILLS} SIGKILLs, each 200 is on its topic once and in order, none is sent again, and nothing else is there (guarantees 1, 2)`, async () => {
    const disturbances = planDisturbances({
      seed: SEED,
      kinds: ['kill-replica', 'kill-holder'],
      count: KILLS,
      replicas: REPLICAS,
    });
    const { violations, log, records, repeats } = await loadRound({
      seed: SEED,
      bench,
      replicas,
      disturbances,
      senders: 4,
    });
    expect({ seed: SEED, violations }).toEqual({ seed: SEED, violations: [] });
    expect(replicas.kills).toBe(KILLS);
    expect(repeats).toBe(0);
    expect(log.outcomes.get(200)).toBeGreaterThan(KILLS * 20);
    expect(records).toBeGreaterThan(KILLS * 20);
  });
});
