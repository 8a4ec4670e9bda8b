import { describe, expect, it } from '@jest/globals';
import { type Bench, chosen, contestBench } from './bench.ts';

const SERVERS = { kafkaBrokers: '', databaseUrl: '' };

function candidate(name: string, perSecond: number) {
  return { name, run: async () => perSecond };
}

describe('benches', () => {
  const benches: Bench[] = ['relay', 'ingest'].map((name) => ({ name, run: async () => [] }));

  it('are chosen by their names, all without one', () => {
    expect(chosen(benches, ['ingest']).map(({ name }) => name)).toEqual(['ingest']);
    expect(chosen(benches, [])).toEqual(benches);
  });

  it('are run by their names alone where they are long', () => {
    const all: Bench[] = [...benches, { name: 'long', isByNameAlone: true, run: async () => [] }];
    expect(chosen(all, [])).toEqual(benches);
    expect(chosen(all, ['long']).map(({ name }) => name)).toEqual(['long']);
  });

  it('are named where one is asked for that does not exist', () => {
    expect(() => chosen(benches, ['relai'])).toThrow('No bench is named relai; there are relay, ingest');
  });
});

describe('a contest as a bench', () => {
  it('says each candidate’s figure, answers its checks, and closes', async () => {
    let isClosed = false;
    const lines: string[] = [];
    const bench = contestBench(
      'c',
      async () => ({
        name: 'a contest',
        unit: 'records/s',
        candidates: [candidate('bare', 100), candidate('ours', 60)],
        checks: [{ of: 'ours', to: 'bare', target: 0.7, atLeast: 0.5 }],
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
