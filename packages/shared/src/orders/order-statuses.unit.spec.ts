import { describe, expect, it } from '@jest/globals';
import {
  CANCELLED_STATUSES,
  CLOSED_TO_COMMANDS,
  ENDS_INVOICING,
  NOT_TO_BE_CREATED,
  ORDER_STATUSES,
  naturalRank,
  orderStatus,
  orderStatusCode,
  orderStatusEvent,
  type OrderStatusDefinition,
} from './order-statuses.ts';

describe('order statuses', () => {
  it('has the fourteen values of the document, each name found again by its code', () => {
    const codes = Object.keys(ORDER_STATUSES).map(Number);
    expect(codes).toEqual([250, 300, 350, 400, 500, 600, 700, 750, 800, 900, 1000, 1100, 1200, 1300]);
    for (const code of codes) expect(orderStatusCode(orderStatus(code).name ?? '')).toBe(code);
  });

  it('tells unknown codes, and those below 250, with a null name', () => {
    expect(orderStatus(100)).toEqual({ code: 100, name: null });
    expect(orderStatus(1234)).toEqual({ code: 1234, name: null });
    expect(orderStatusCode('toString')).toBeNull();
  });

  it('puts 350 after 400 and cancellation after delivery, and gives 1300 no place (rule 9)', () => {
    const course = Object.keys(ORDER_STATUSES)
      .map(Number)
      .filter((code) => naturalRank(code) >= 0);
    const inOrder = course.toSorted((one, other) => naturalRank(one) - naturalRank(other));
    expect(inOrder).toEqual([250, 300, 400, 350, 500, 600, 700, 900, 1000, 750, 800, 1100, 1200]);
    expect(naturalRank(350)).toBeGreaterThan(naturalRank(400));
    expect(naturalRank(750)).toBeGreaterThan(naturalRank(1000));
    expect(naturalRank(1300)).toBe(-1);
    expect(new Set(course.map(naturalRank)).size).toBe(course.length);
  });

  it('creates no order that is being cancelled, cancelled, returned or refunded (rule 7)', () => {
    expect([...NOT_TO_BE_CREATED]).toEqual([750, 800, 1000, 1100, 1200]);
  });

  it('lets a returned order still be driven, but none that is cancelled or refunded', () => {
    expect([...CLOSED_TO_COMMANDS]).toEqual([750, 800, 1100, 1200]);
  });

  it('ends an open invoice when the order is cancelled, returned or refunded (rule 15)', () => {
    expect([...ENDS_INVOICING]).toEqual([750, 800, 1000, 1100, 1200]);
  });

  it('counts an order as cancelled from 800 on, and while it is refunded', () => {
    expect([...CANCELLED_STATUSES]).toEqual([800, 1100, 1200]);
  });

  it('publishes a status by its own event, once the order is created', () => {
    expect([300, 750, 1300, 250, 1234].map(orderStatusEvent)).toEqual([
      null,
      'CancellationStarted',
      'ItemsRecalculated',
      null,
      null,
    ]);
  });

  it('takes no status of which a part is forgotten', () => {
    const { event: _forgotten, ...rest } = ORDER_STATUSES[700];
    // @ts-expect-error TS2741: its event is missing
    const status: OrderStatusDefinition = rest;
    expect(status).not.toHaveProperty('event');
  });
});
