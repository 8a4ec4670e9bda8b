import { describe, expect, it } from '@jest/globals';
import { courseOf } from './course.ts';
import type { TimelineEntry } from './order-parts.ts';

function heard(code: number, at: string): TimelineEntry {
  const status = { code, name: null };
  return {
    at,
    kind: 'fact',
    source: 'notification',
    eventType: 'Order_Updated',
    operationId: null,
    status,
    error: null,
  };
}

describe('courseOf', () => {
  it('shows what lies ahead of an order that goes well, in its natural order', () => {
    const course = courseOf(350, [heard(300, '08:00'), heard(400, '09:00'), heard(350, '10:00')]);
    expect(course.map(({ code, state }) => [code, state])).toEqual([
      [300, 'passed'],
      [400, 'passed'],
      [350, 'current'],
      [500, 'ahead'],
      [600, 'ahead'],
      [700, 'ahead'],
    ]);
  });

  it('shows of a cancelled order where it was, also if its approval came last', () => {
    const course = courseOf(800, [heard(750, '08:00'), heard(800, '08:01'), heard(300, '08:05')]);
    expect(course).toEqual([
      { code: 300, state: 'passed', at: '08:05' },
      { code: 750, state: 'passed', at: '08:00' },
      { code: 800, state: 'current', at: '08:01' },
    ]);
  });

  it('has all its way ahead while nothing is known', () => {
    expect(new Set(courseOf(null, []).map(({ state }) => state))).toEqual(new Set(['ahead']));
  });
});
