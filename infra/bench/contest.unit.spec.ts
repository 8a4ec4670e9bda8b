import { describe, expect, it } from '@jest/globals';
import { hold, median, standings, turn } from './contest.ts';

describe('a contest', () => {
  it('takes the middle value as the median, and the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 10, 2, 4])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it('compares within a round, so that a slow round for all changes no ratio', () => {
    const [, own] = standings(
      ['bare', 'ours'],
      [
        [100, 10, 1000],
        [50, 5, 500],
      ],
    );
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
      run: async () => {
        runs.push(name);
        return figures.shift() ?? 0;
      },
    });
    const contest = {
      name: 'c',
      unit: 'records',
      candidates: [candidate('a', [1, 10, 10]), candidate('b', [99, 20, 30])] as const,
    };
    const [, b] = await hold(contest, 2);
    expect(runs).toEqual(['a', 'b', 'b', 'a', 'a', 'b']);
    expect(b).toEqual({ name: 'b', medianPerSecond: 25, medianRatio: 2.5 });
  });
});
