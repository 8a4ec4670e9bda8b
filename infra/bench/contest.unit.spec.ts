import { describe, expect, it } from '@jest/globals';
import { median } from '@gondola/local-stack/testing/median';
import { type Candidate, hold, ratio, turn } from './contest.ts';

function candidate(name: string): Candidate {
  return { name, run: async () => 0 };
}

describe('a contest', () => {
  it('takes the middle value as the median, and the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([1, 10, 2, 4])).toBe(3);
    expect(median([])).toBeNaN();
  });

  it('compares within a round, so that a slow round for all changes no ratio', () => {
    const [bare, ours] = [candidate('bare'), candidate('ours')];
    const figures = new Map([
      [bare, [100, 10, 1000]],
      [ours, [50, 5, 500]],
    ]);
    expect(ratio(figures, ours, bare)).toBe(0.5);
    expect(ratio(figures, bare, ours)).toBe(2);
    expect(ratio(figures, ours, candidate('nobody'))).toBeNaN();
  });

  it('lets each candidate go first in turn', () => {
    expect([0, 1, 2].map((round) => turn([0, 1, 2], round))).toEqual([
      [0, 1, 2],
      [1, 2, 0],
      [2, 0, 1],
    ]);
  });

  it('interleaves the rounds and does not count the one that warms up', async () => {
    const runs: string[] = [];
    const counting = (name: string, figures: number[]) => ({
      name,
      run: async (isWarmUp: boolean) => {
        runs.push(isWarmUp ? `${name} warms up` : name);
        return figures.shift() ?? 0;
      },
    });
    const contest = {
      name: 'c',
      unit: 'records',
      candidates: [counting('a', [1, 10, 10]), counting('b', [99, 20, 30])] as const,
      checks: [],
      close: async () => {},
    };
    const figures = await hold(contest, 2);
    expect(runs).toEqual(['a warms up', 'b warms up', 'b', 'a', 'a', 'b']);
    expect([...figures.values()]).toEqual([
      [10, 10],
      [20, 30],
    ]);
  });
});
