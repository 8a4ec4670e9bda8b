import { describe, expect, it } from '@jest/globals';
import { NOW, anOrder } from '../../test/support/orders.ts';
import { DEFAULT_BEHAVIOUR } from '../switches/behaviour.ts';
import { ORDER_STATUSES, isNotified, statusCode } from './order-status.ts';
import { moveTo, settable } from './order-transitions.ts';

const TAKEN = { kind: 'changeable' };

const SETTABLE = [350, 400, 500, 600, 700, 900, 1000];

describe('a status PATCH', () => {
  it.each(SETTABLE)('may set %d on a paid order', (target) => {
    expect(settable(anOrder(), target, DEFAULT_BEHAVIOUR)).toMatchObject(TAKEN);
  });

  it.each(Object.values(ORDER_STATUSES).filter((status) => !SETTABLE.includes(status)))('may not set %d', (target) => {
    expect(settable(anOrder(), target, DEFAULT_BEHAVIOUR)).toMatchObject({ refusal: { statusCode: 400 } });
  });

  it.each(['pending', 'refused'] as const)('is refused while payment is %s', (payment) => {
    expect(settable(anOrder(payment), 400, DEFAULT_BEHAVIOUR)).toMatchObject({ refusal: { statusCode: 409 } });
  });

  it.each([750, 800, 1000, 1100, 1200])('is refused in status %d', (status) => {
    expect(settable(moveTo(anOrder(), status, NOW), 400, DEFAULT_BEHAVIOUR)).toMatchObject({
      refusal: { statusCode: 409 },
    });
  });

  it.each([300, 350, 400, 500, 600, 700, 900])('is accepted in status %d, in any direction', (status) => {
    for (const target of SETTABLE)
      expect(settable(moveTo(anOrder(), status, NOW), target, DEFAULT_BEHAVIOUR)).toMatchObject(TAKEN);
  });

  it.each([100, 250, 750, 800, 1000, 1100, 1200])(
    'to 500, 600, 700, 900 or 1000 is accepted in status %d too, lenient and strict, unless the switch refuses it',
    (status) => {
      const order = moveTo(anOrder(), status, NOW);
      for (const target of [500, 600, 700, 900, 1000]) {
        for (const transitions of ['lenient', 'strict'] as const) {
          const behaviour = { ...DEFAULT_BEHAVIOUR, transitions };
          expect(settable(order, target, behaviour)).toMatchObject(TAKEN);
          expect(settable(order, target, { ...behaviour, unpaidOrOver: 'refused' })).toMatchObject({
            refusal: { statusCode: 409 },
          });
        }
      }
    },
  );

  it('to an unknown status name is refused with 400, and a long name is not repeated in full', () => {
    const verdict = settable(anOrder(), 'X'.repeat(1_000), DEFAULT_BEHAVIOUR);
    expect(verdict).toMatchObject({ refusal: { statusCode: 400, detail: `There is no status ${'X'.repeat(100)}.` } });
  });

  it('is refused with 404 for an order that does not exist', () => {
    expect(settable(undefined, 400, DEFAULT_BEHAVIOUR)).toMatchObject({ refusal: { statusCode: 404 } });
  });
});

describe('a change of status', () => {
  it('increases updatedAt, even if the clock stands still or goes back', () => {
    const first = moveTo(anOrder(), 400, NOW - 5n);
    const second = moveTo(first, 350, NOW - 9n);
    expect(first.updatedAt > anOrder().updatedAt).toBe(true);
    expect(second.updatedAt).toBe(first.updatedAt + 1n);
    expect(second.statusHistory.map(({ status }) => status)).toEqual([100, 300, 400, 350]);
  });

  it('by 1300 keeps the stored status', () => {
    const notified = moveTo(anOrder(), 1300, NOW);
    expect(notified.status).toBe(300);
    expect(notified.statusHistory).toHaveLength(2);
    expect(notified.updatedAt > anOrder().updatedAt).toBe(true);
  });

  it('to 250 or higher is notified', () => {
    expect([100, 249, 250, 300, 1300].map(isNotified)).toEqual([false, false, true, true, true]);
  });
});

it('an unknown status name has no code', () => {
  expect(statusCode('ORDER_BEING_PREPARED')).toBe(400);
  expect(statusCode('CART_CREATED')).toBeUndefined();
  expect(statusCode('toString')).toBeUndefined();
});
