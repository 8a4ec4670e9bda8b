import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { IMPOSSIBLE_TIMES, POSSIBLE_TIMES } from '../testing/request-times.ts';
import { isTextOf, readTime } from './request-fields.ts';

const MINUTE_MS = 60_000;

/** A moment, its text with an offset of whole minutes, and with more digits of a second than are counted. */
const writtenTimes = fc
  .record({
    at: fc.date({ min: new Date('0001-01-02T00:00:00Z'), max: new Date('9999-12-30T00:00:00Z'), noInvalidDate: true }),
    offset: fc.integer({ min: -14 * 60, max: 14 * 60 }),
    zeros: fc.nat({ max: 12 }),
  })
  .map(({ at, offset, zeros }) => {
    const local = new Date(at.getTime() + offset * MINUTE_MS).toISOString().slice(0, -1);
    const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
      String(part).padStart(2, '0'),
    );
    return { at, text: `${local}${'0'.repeat(zeros)}${offset < 0 ? '-' : '+'}${hours}:${minutes}` };
  });

describe('the time of a request', () => {
  it('is read to the millisecond, with any offset and any number of digits', () => {
    fc.assert(
      fc.property(writtenTimes, ({ at, text }) => {
        expect(readTime(text)).toBe(at.toISOString());
      }),
    );
  });

  it.each([
    ['2026-11-26T08:00:00.1230000Z', '2026-11-26T08:00:00.123Z'],
    ['2026-11-26T08:00:00.1230001Z', '2026-11-26T08:00:00.124Z'],
    ['1960-11-26T08:00:00.1230001Z', '1960-11-26T08:00:00.124Z'],
    ['2026-11-26t08:00:00z', '2026-11-26T08:00:00.000Z'],
  ])('%s is rounded up, so that both a beginning and an end stay right: %s', (text, utc) => {
    expect(readTime(text)).toBe(utc);
  });

  it.each(POSSIBLE_TIMES)('may be %s', (text) => {
    expect(readTime(text)).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  });

  it.each([...IMPOSSIBLE_TIMES, '', null, 7, {}])('is not %j', (value) => {
    expect(readTime(value)).toBeNull();
  });
});

describe('a text of a request', () => {
  it('is counted in characters, as OpenAPI counts them', () => {
    expect(isTextOf('😀😀', { most: 2, least: 2 })).toBe(true);
    expect(isTextOf('😀😀😀', { most: 2 })).toBe(false);
    expect(isTextOf('', { most: 2, least: 1 })).toBe(false);
    expect(isTextOf(7, { most: 2 })).toBe(false);
  });
});
