import { describe, expect, it } from '@jest/globals';

import { RefusedTopics, refusalText } from './refused-topics.ts';

const EVENTS = 'erp.orders.events.v1';
const RESULTS = 'erp.orders.results.v1';

describe('refused topics', () => {
  it('wait for twice as long after each refusal, 200 ms to 5 s, and are forgotten once they are accepted', () => {
    const refused = new RefusedTopics();
    const waits = Array.from({ length: 7 }, () => {
      refused.refuse(EVENTS, 'NOT_ENOUGH_REPLICAS', 0, 1);
      return refused.msUntilNext(0);
    });
    expect(waits).toEqual([200, 400, 800, 1_600, 3_200, 5_000, 5_000]);
    expect([refused.waiting(4_999), refused.waiting(5_000)]).toEqual([[EVENTS], []]);
    expect([refused.isWaiting(EVENTS, 4_999), refused.isWaiting(RESULTS, 0)]).toEqual([true, false]);
    expect([refused.accept(EVENTS), refused.accept(EVENTS), refused.msUntilNext(0)]).toEqual([true, false, null]);
    refused.refuse(EVENTS, 'NOT_ENOUGH_REPLICAS', 0, 1);
    expect(refused.msUntilNext(0)).toBe(200);
  });

  it('are worth a word when they begin, and when the code changes, but not at each attempt', () => {
    const refused = new RefusedTopics();
    const codes = ['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_OR_PARTITION', 'TOPIC_AUTHORIZATION_FAILED'];
    expect(codes.map((code, now) => refused.refuse(EVENTS, code, now, 0))).toEqual([true, false, true]);
    expect(refused.all).toMatchObject([{ code: 'TOPIC_AUTHORIZATION_FAILED', since: 0, refusals: 3 }]);
    expect(refusalText(refused.all[0]!)).toMatch(
      /erp\.orders\.events\.v1.*TOPIC_AUTHORIZATION_FAILED; grant the account/,
    );
  });

  it('may pass with another replica if a clock is the cause of all of them', () => {
    const refused = new RefusedTopics();
    expect(refused.mayPassElsewhere).toBe(false);
    refused.refuse(EVENTS, 'INVALID_TIMESTAMP', 0, 0);
    expect(refused.mayPassElsewhere).toBe(true);
    refused.refuse(RESULTS, 'TOPIC_AUTHORIZATION_FAILED', 0, 0);
    expect(refused.mayPassElsewhere).toBe(false);
  });
});
