import { describe, expect, it } from '@jest/globals';
import { MIRROR_TIMES, outcomeOf, waitsAfter } from './judge-attempt.ts';

describe('an attempt', () => {
  it.each([200, 201, 204, 299])('answered %i is sent', (status) => {
    expect(outcomeOf({ status })).toBe('sent');
  });

  it.each([400, 409, 410, 413, 415, 422])('answered %i is refused for good', (status) => {
    expect(outcomeOf({ status })).toBe('refused');
  });

  it.each([301, 302, 307, 401, 403, 404, 405, 408, 429, 500, 502, 503])(
    'answered %i is made again, since it says nothing of the notification',
    (status) => {
      expect(outcomeOf({ status })).toBe('failed');
    },
  );

  it('without an answer is made again', () => {
    expect(outcomeOf({ code: 'TIMEOUT' })).toBe('failed');
  });
});

const waits = (inARow: number, attempts: number) => waitsAfter({ inARow, attempts }, MIRROR_TIMES, 1);

describe('the waits after failures', () => {
  it('grow up to half a minute for the mirror', () => {
    expect([1, 2, 3, 9].map((inARow) => waits(inARow, 1).mirrorMs)).toEqual([1_000, 2_000, 4_000, 30_000]);
  });

  it('let a notification step aside at its third failure, for a minute at most', () => {
    expect([1, 2, 3, 4, 20].map((attempts) => waits(1, attempts).deliveryMs)).toEqual([0, 0, 5_000, 10_000, 60_000]);
  });
});
