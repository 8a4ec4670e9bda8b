import { describe, expect, it } from '@jest/globals';
import { OutOfTimeError, tryWithin } from './try-within.service.ts';

const options = { budgetMs: 600_000, pauseMs: 1, isTransient: (error: unknown) => error === 'away' };

describe('work within a budget', () => {
  it('is done again after a transient failure', async () => {
    const answers = ['away', 'away', 'stored'];
    const work = async () => {
      const answer = answers.shift();
      if (answer === 'away') throw answer as unknown;
      return answer;
    };
    expect(await tryWithin(options, work)).toBe('stored');
  });

  it('ends at once with a failure that stays', async () => {
    let attempts = 0;
    const work = async () => {
      attempts += 1;
      throw new Error('a bug');
    };
    await expect(tryWithin(options, work)).rejects.toThrow('a bug');
    expect(attempts).toBe(1);
  });

  it('ends in time when the work has no answer', async () => {
    await expect(tryWithin({ ...options, budgetMs: 5 }, () => new Promise<never>(() => {}))).rejects.toThrow(
      OutOfTimeError,
    );
  });

  it('ends in time if every attempt fails, with the error of the last one', async () => {
    await expect(tryWithin({ ...options, budgetMs: 20 }, () => Promise.reject('away'))).rejects.toMatchObject({
      code: 'OUT_OF_TIME',
      cause: 'away',
    });
  });
});
