import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { isPureDate, nextDay, offsetMoment, platformMoment, ticksToUtcText, timeFault } from './time.ts';

const milliseconds = fc.integer({ min: Date.UTC(1, 0, 2) - 1, max: Date.UTC(9999, 0, 1) });
const subMillisecond = fc.integer({ min: 0, max: 9999 });

/**
 * Local text, three hours behind, of a moment counted in ticks; the runtime's calendar is the independent
 * reference.
 */
function localText(ms: number, ticks: number): string {
  return `${new Date(ms - 3 * 3_600_000).toISOString().slice(0, -1)}${String(ticks).padStart(4, '0')}`;
}

describe('time', () => {
  it('reads local text of the platform as UTC−3, to 100 ns, and keeps its digits (rule 13)', () => {
    expect(platformMoment('2026-11-20T10:14:58')).toEqual({
      text: '2026-11-20T10:14:58-03:00',
      ticks: 17_951_804_980_000_000n,
    });
    expect(platformMoment('2026-11-20T10:14:58.1200000')?.text).toBe('2026-11-20T10:14:58.1200000-03:00');
    fc.assert(
      fc.property(milliseconds, subMillisecond, (ms, ticks) => {
        const text = localText(ms, ticks);
        expect(platformMoment(text)).toEqual({ text: `${text}-03:00`, ticks: BigInt(ms) * 10_000n + BigInt(ticks) });
      }),
    );
  });

  it('orders moments by their count as their texts do (rules 9, 13)', () => {
    fc.assert(
      fc.property(milliseconds, subMillisecond, milliseconds, subMillisecond, (ms1, ticks1, ms2, ticks2) => {
        const [one, two] = [localText(ms1, ticks1), localText(ms2, ticks2)];
        const [a, b] = [platformMoment(one)?.ticks ?? 0n, platformMoment(two)?.ticks ?? 0n];
        expect(a < b).toBe(one < two);
      }),
    );
  });

  it('keeps an offset that is there, and gives the same moment in UTC with Z (rule 13)', () => {
    expect(platformMoment('2026-11-20T13:14:58Z')?.ticks).toBe(platformMoment('2026-11-20T10:14:58')?.ticks);
    expect(platformMoment('2026-11-20T13:14:58Z')?.text).toBe('2026-11-20T13:14:58Z');
    expect(offsetMoment('2026-11-20T18:44:58+05:30')?.ticks).toBe(platformMoment('2026-11-20T10:14:58')?.ticks);
    fc.assert(
      fc.property(milliseconds, subMillisecond, (ms, ticks) => {
        const count = BigInt(ms) * 10_000n + BigInt(ticks);
        expect(offsetMoment(ticksToUtcText(count))?.ticks).toBe(count);
      }),
    );
    expect(ticksToUtcText(17_951_804_980_000_000n)).toBe('2026-11-20T13:14:58Z');
    expect(ticksToUtcText(-1n)).toBe('1969-12-31T23:59:59.9999999Z');
  });

  it('demands the offset where the ERP must give one (rule 13)', () => {
    expect(offsetMoment('2026-11-20T10:14:58')).toBeNull();
    expect(offsetMoment('2026-11-20T10:14:58-03:00')).not.toBeNull();
  });

  it.each([
    ['2026-11-20 10:14:58', '2026-11-20T10:14:58-03:00'],
    [' 2026-11-20t10:14:58 ', '2026-11-20T10:14:58-03:00'],
    ['2026-11-20T10:14', '2026-11-20T10:14:00-03:00'],
    ['2026-11-20T10:14:58.123456789', '2026-11-20T10:14:58.1234567-03:00'],
    ['2026-11-20 13:14:58z', '2026-11-20T13:14:58Z'],
    ['2026-11-20T10:14:58-0300', '2026-11-20T10:14:58-03:00'],
  ])('reads %j of the platform, as another serializer writes it (rule 13)', (text, plain) => {
    expect(platformMoment(text)).toEqual(platformMoment(plain));
    expect(platformMoment(text)?.text).toBe(plain);
  });

  it.each([
    ['2026-11-20T14:05-03:00', '2026-11-20T14:05:00-03:00'],
    ['2026-11-20T17:05Z', '2026-11-20T17:05:00Z'],
    ['2026-11-20T14:05:07.123456789-03:00', '2026-11-20T14:05:07.1234567-03:00'],
    ['2026-11-20T14:05:07.12345678Z', '2026-11-20T14:05:07.1234567Z'],
    ['2026-11-20 14:05:07-03:00', '2026-11-20T14:05:07-03:00'],
    ['2026-11-20T14:05:07.000-0300', '2026-11-20T14:05:07.000-03:00'],
    ['2026-11-20t17:05:07z', '2026-11-20T17:05:07Z'],
  ])('reads %j of the ERP, as a serialiser of another language writes it (rule 13)', (text, plain) => {
    expect(offsetMoment(text)).toEqual(offsetMoment(plain));
    expect(offsetMoment(text)?.text).toBe(plain);
  });

  it.each([
    ['2026-11-20T10:14:58Z', null],
    ['2026-11-20T10:14:58', 'offset'],
    ['2026-11-20 10:14', 'offset'],
    ['2026-02-30T10:14:58Z', 'calendar'],
    ['2026-02-30T10:14:58', 'calendar'],
    ['2026-11-20T24:00:00Z', 'calendar'],
    ['2026-11-20T10:14:58+24:00', 'calendar'],
    ['2026-11-20T10:14:58-03:00[America/Sao_Paulo]', 'form'],
    ['2026-11-20', 'form'],
    [1_795_180_000_000, 'form'],
  ])('says why %j is no time of an ERP', (text, fault) => {
    expect(timeFault(text)).toBe(fault);
  });

  it('takes nothing else for a time', () => {
    for (const other of [
      '2026-11-20',
      '2026-02-29T00:00:00',
      '2026-13-01T00:00:00',
      '2026-11-20T24:00:00',
      '2026-11-20T10:60:00',
      '2026-11-20T10:14:60',
      '2026-11-20T10:14:58+24:00',
      '2026-11-20  10:14:58',
      '20/11/2026 10:14:58',
      '2026-11-20T10',
      'Fri Nov 20 2026',
      '',
      null,
      1_795_180_000_000,
    ]) {
      expect(platformMoment(other)).toBeNull();
    }
  });

  it('knows the day after each (rule 13)', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: Date.UTC(1901, 0, 1) / 86_400_000, max: Date.UTC(9998, 0, 1) / 86_400_000 }),
        (day) => {
          const [date, after] = [day, day + 1].map((each) => new Date(each * 86_400_000).toISOString().slice(0, 10));
          expect(nextDay(date!)).toBe(after);
        },
      ),
    );
  });

  it('takes dates of the calendar, and only those, for pure dates (rule 13)', () => {
    for (const date of ['2024-02-29', '2000-02-29', '0001-01-01', '2026-12-31']) expect(isPureDate(date)).toBe(true);
    for (const other of [
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '26-01-01',
      '2026-1-1',
      '2026-01-01T00:00:00',
      20_260_101,
    ]) {
      expect(isPureDate(other)).toBe(false);
    }
  });
});
