import { expect, it } from '@jest/globals';
import { isInMonth, monthOf } from './month.ts';

it('a month begins and ends at midnight in the zone of the platform', () => {
  expect(monthOf('2026-12')).toEqual({
    from: new Date('2026-12-01T03:00:00Z'),
    to: new Date('2027-01-01T03:00:00Z'),
  });
  const month = monthOf('2026-09')!;
  expect(isInMonth('2026-09-01T00:00:00', month)).toBe(true);
  expect(isInMonth('2026-10-01T02:59:59.9999999Z', month)).toBe(true);
  expect(isInMonth('2026-10-01T00:00:00', month)).toBe(false);
  expect(isInMonth('2026-08-31T23:59:59.9999999', month)).toBe(false);
  expect([isInMonth(null, month), isInMonth('soon', month)]).toEqual([null, null]);
});

it.each(['', '2026', '2026-00', '2026-13', '2026-1', '1999-12', '9999-12', '2026-11-01', ' 2026-11'])(
  'is no month: %j',
  (text) => {
    expect(monthOf(text)).toBeNull();
  },
);
