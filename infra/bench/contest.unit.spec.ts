import { describe, expect, it } from '@jest/globals';
import { hold, median, standings, turn, verdictOf } from './contest.ts';

describe('a contest', () => {
  it('takes the middle value as the median, and the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 10, 2, 4])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it('compares within a round, so that a slow round for all changes no ratio', () => {
    const [, own] = standings([
      { name: 'bare', figures: [100, 10, 1000] },
      { name: 'ours', figures: [50, 5, 500] },
    ]);
    expect(own).toEqual({ name: 'ours', medianPerSecond: 50, medianRatio: 0.5 });
  });

  it('lets each candidate go first in turn', () => {
    expect([0, 1, 2].map((round) => turn(3, round))).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ]);
  });

  it('interleaves the rounds and does not count the one that warms up', async () => {
    const runs: string[] = [];
    const candidate = (name: string, figures: number[]) => ({
      name,
      run: async (isWarmUp: boolean) => {
        runs.push(isWarmUp ? `${name} warms up` : name);
        return figures.shift() ?? 0;
      },
    });
    const contest = {
      name: 'c',
      unit: 'records',
      candidates: [candidate('a', [1, 10, 10]), candidate('b', [99, 20, 30])] as const,
      checks: [],
      close: async () => {},
    };
    const series = await hold(contest, 2);
    expect(runs).toEqual(['a warms up', 'b warms up', 'b', 'a', 'a', 'b']);
    expect(series).toEqual([
      { name: 'a', figures: [10, 10] },
      { name: 'b', figures: [20, 30] },
    ]);
  });

  it('checks the ratio of any two candidates, round by round', () => {
    const series = [
      { name: 'bare', figures: [100, 10] },
      { name: 'slow', figures: [10, 1] },
      { name: 'ours', figures: [80, 6] },
    ];
    const check = { of: 'ours', to: 'slow', target: 8, atLeast: 6 };
    expect(verdictOf(check, series)).toEqual({ what: 'ours : slow', measured: 7, target: 8, atLeast: 6 });
    expect(() => verdictOf({ ...check, to: 'nobody' }, series)).toThrow('nobody');
  });
});
