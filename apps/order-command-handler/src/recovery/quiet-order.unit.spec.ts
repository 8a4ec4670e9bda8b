import { describe, expect, it } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@gondola/shared/durations';
import { afterRead, GIVEN_UP_MS, judgeOrder, type OpenOrder, pauseAfterLook, readsOf } from './quiet-order.ts';

const QUIET_MS = 10 * MINUTE_MS;
const TIMES = { quietMs: QUIET_MS, quietMaxMs: 6 * HOUR_MS };
const OPEN: OpenOrder = { looks: 0, status: 400, publishedStatus: 400, isBusy: false, silentMs: QUIET_MS };

const judged = (order: Partial<OpenOrder>, quietMs: number | null = QUIET_MS) =>
  judgeOrder({ ...OPEN, ...order }, quietMs);

describe('an open order whose time has come', () => {
  it.each<[string, Partial<OpenOrder>, object]>([
    ['is read', {}, { kind: 'read' }],
    ['is read again', { looks: 9, silentMs: 2 * DAY_MS }, { kind: 'read' }],
    ['waits while a command is under way', { isBusy: true, looks: 3 }, { kind: 'wait', inMs: QUIET_MS, looks: 0 }],
    ['waits where it was heard of', { looks: 3, silentMs: 1 }, { kind: 'wait', inMs: QUIET_MS - 1, looks: 0 }],
    ['is over once it has ended', { publishedStatus: 700 }, { kind: 'end', looks: 0 }],
    ['is over without a payment', { publishedStatus: null, status: 250, looks: 6 }, { kind: 'end', looks: 0 }],
    ['is read for its payment', { publishedStatus: null, status: 250, looks: 5 }, { kind: 'read' }],
    ['is given up, which its reads show', { looks: 9, silentMs: GIVEN_UP_MS }, { kind: 'end', looks: 9 }],
    ['is read before it is given up', { looks: 0, silentMs: 90 * DAY_MS }, { kind: 'read' }],
    ['is read in doubt, also at its end', { looks: -1, publishedStatus: 700, silentMs: 0 }, { kind: 'read' }],
    ['is in doubt only for some reads', { looks: -7 }, { kind: 'wait', inMs: 0, looks: 6 }],
  ])('%s', (_, order, expected) => {
    expect(judged(order)).toEqual(expected);
  });

  it('is read with growing pauses while nothing is heard of it, a last time after 30 days', () => {
    const readAt: number[] = [];
    let looks = 0;
    for (let silentMs = QUIET_MS; ;) {
      const judgement = judged({ looks, silentMs });
      if (judgement.kind !== 'read') break;
      readAt.push(silentMs);
      looks = afterRead(looks);
      silentMs += pauseAfterLook(looks, TIMES);
    }
    expect(readAt.slice(0, 7).map((ms) => ms / MINUTE_MS)).toEqual([10, 30, 70, 150, 310, 630, 990]);
    expect(readAt.length).toBeLessThan(130);
    expect(GIVEN_UP_MS - readAt.at(-1)!).toBeLessThanOrEqual(TIMES.quietMaxMs);
    expect(judged({ looks, silentMs: GIVEN_UP_MS })).toEqual({ kind: 'end', looks: readAt.length });
  });
});

describe('the reads of an open order', () => {
  it('have pauses that double, up to the longest', () => {
    const times = { quietMs: 10, quietMaxMs: 100 };
    expect([0, 1, 2, 3, 4, 5_000].map((looks) => pauseAfterLook(looks, times))).toEqual([10, 20, 40, 80, 100, 100]);
    expect(pauseAfterLook(3, { quietMs: 10, quietMaxMs: 1 })).toBe(10);
  });

  it('are counted apart while it is in doubt, with the same pauses, also where quiet orders are not read', () => {
    const doubted = [-1, afterRead(-1), afterRead(afterRead(-1))];
    expect(doubted.map(readsOf)).toEqual([0, 1, 2]);
    expect(doubted.map((looks) => pauseAfterLook(looks, TIMES))).toEqual([10, 20, 40].map((n) => n * MINUTE_MS));
    expect(pauseAfterLook(-1, { ...TIMES, quietMs: null })).toBe(10 * MINUTE_MS);
  });
});
