import { describe, expect, it } from '@jest/globals';
import { type Bench, chosen, contestBench, holds, lineOf, percentile } from './bench.ts';
import { replicasFrom } from './scale.bench.ts';

const SERVERS = { kafkaBrokers: '', databaseUrl: '', kafka: undefined, postgres: undefined };

function candidate(name: string, perSecond: number) {
  return { name, run: async () => perSecond };
}

describe('benches', () => {
  const benches: Bench[] = ['relay', 'ingest'].map((name) => ({ name, run: async () => [] }));

  it('are chosen by their names, all without one', () => {
    expect(chosen(benches, ['ingest']).map(({ name }) => name)).toEqual(['ingest']);
    expect(chosen(benches, [])).toEqual(benches);
  });

  it('are named where one is asked for that does not exist', () => {
    expect(() => chosen(benches, ['relai'])).toThrow('No bench is named relai; there are relay, ingest');
  });
});

describe('numbers of replicas', () => {
  it('stand between commas', () => {
    expect(replicasFrom('1, 3')).toEqual([1, 3]);
  });

  it('are refused if a round cannot be divided among so many, or if they are no numbers', () => {
    expect(() => replicasFrom('1,5')).toThrow('--replicas takes 1, 2, 3, 4, 6, 8, with commas between; "5" is none');
    expect(() => replicasFrom('')).toThrow('"" is none of them');
  });
});

describe('a contest as a bench', () => {
  it('says each candidate’s figure, answers its checks, and closes', async () => {
    const [bare, ours] = [candidate('bare', 100), candidate('ours', 60)];
    let isClosed = false;
    const lines: string[] = [];
    const bench = contestBench(
      'c',
      async () => ({
        name: 'a contest',
        unit: 'records/s',
        candidates: [bare, ours],
        checks: [{ of: ours, to: bare, target: 0.7, atLeast: 0.5 }],
        close: async () => void (isClosed = true),
      }),
      2,
    );
    const verdicts = await bench.run(SERVERS, (line) => lines.push(line));
    expect(verdicts).toEqual([{ what: 'ours : bare', measured: 0.6, target: 0.7, atLeast: 0.5 }]);
    expect(lines).toHaveLength(3);
    expect(lines[2]).toMatch(/ours +60 +×0\.60/);
    expect(isClosed).toBe(true);
  });
});

describe('a verdict', () => {
  const verdict = { what: 'ours : bare', measured: 0.57, target: 0.6, atLeast: 0.55 };

  it('holds down to what is checked, and not only down to the target', () => {
    expect(holds(verdict)).toBe(true);
    expect(holds({ ...verdict, measured: 0.54 })).toBe(false);
  });

  it('does not hold where nothing was measured', () => {
    expect(holds({ ...verdict, measured: Number.NaN })).toBe(false);
  });

  it('that is only shown breaks nothing', () => {
    expect(holds({ ...verdict, measured: 0, atLeast: null })).toBe(true);
  });

  it('says what was measured, wanted and checked', () => {
    expect(lineOf(verdict)).toBe('held   ours : bare  ×0.57  target ×0.60  checked ×0.55');
    expect(lineOf({ ...verdict, measured: 0.5 })).toMatch(/^BROKE /);
    expect(lineOf({ ...verdict, atLeast: null })).toMatch(/^shown .* not checked$/);
  });
});

describe('a percentile', () => {
  const values = Array.from({ length: 200 }, (_, index) => index + 1);

  it('is a value that occurred, which that share does not exceed', () => {
    expect([0.5, 0.99, 1].map((share) => percentile(values, share))).toEqual([100, 198, 200]);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('of no values does not exist', () => {
    expect(percentile([], 0.99)).toBeNaN();
  });
});
