import { beforeEach, describe, expect, it } from '@jest/globals';

import { ConsumedRecords } from './consumed-records.ts';

/** Answers each query when the test permits it. */
class FakeLag {
  consumed: number | null = null;
  questions = 0;
  #answer = newAnswer();

  consumedUpTo(): number | null {
    return this.consumed;
  }

  async check(): Promise<void> {
    this.questions += 1;
    return this.#answer.promise;
  }

  answer(consumed: number): void {
    this.consumed = consumed;
    this.#next().resolve();
  }

  fail(): void {
    this.#next().reject(new Error('Kafka is away'));
  }

  #next(): PromiseWithResolvers<void> {
    const answer = this.#answer;
    this.#answer = newAnswer();
    return answer;
  }
}

function newAnswer(): PromiseWithResolvers<void> {
  return Promise.withResolvers<void>();
}

describe('the consumed position of a group', () => {
  let lag: FakeLag;
  let consumed: ConsumedRecords;

  beforeEach(() => {
    lag = new FakeLag();
    consumed = new ConsumedRecords(lag);
  });

  it('is unknown until the broker answers a question in the background', async () => {
    expect(consumed.hasConsumedUpTo(0)).toBe(false);
    expect(consumed.upTo()).toBeNull();
    lag.answer(5_000);
    await consumed.stop();
    expect(consumed.hasConsumedUpTo(5_000)).toBe(true);
    expect(lag.questions).toBe(1);
  });

  it('is asked for once at a time, for all callers', async () => {
    for (const ms of [1, 2, 3]) consumed.hasConsumedUpTo(ms);
    expect(lag.questions).toBe(1);
    lag.answer(2);
    await consumed.stop();
    expect(consumed.hasConsumedUpTo(3)).toBe(false);
    expect(lag.questions).toBe(2);
  });

  it('is read again soon if an answer is on its way, and later if the group lags or the broker is unreachable', async () => {
    const soon = consumed.ask(Date.now());
    lag.answer(0);
    await consumed.stop();
    const behind = consumed.ask(0);
    lag.fail();
    await consumed.stop();
    const away = consumed.ask(0);
    expect([soon, behind, away]).toEqual([50, 500, 2_000]);
    lag.answer(0);
    await consumed.stop();
    expect(consumed.ask(0)).toBe(500);
  });
});
