import { describe, expect, it } from '@jest/globals';
import { normalised } from './normalised-example.ts';

const ONE = '3f2b8c1e-5a0d-4b7e-9c31-0a1b2c3d4e5f';
const OTHER = '9d8e7f60-1a2b-4c3d-8e4f-5a6b7c8d9e0f';

describe('an example', () => {
  it.each([
    [
      'numbers ids in their order, the same one the same',
      `${ONE}/pdf ${OTHER} ${ONE}`,
      '00000000-0000-4000-8000-000000000001/pdf 00000000-0000-4000-8000-000000000002 00000000-0000-4000-8000-000000000001',
    ],
    ['keeps an id that every installation has', '22222222-2222-4222-8222-222222222222', undefined],
    ['numbers hashes', `${'a9'.repeat(16)} ${'b7'.repeat(32)}`, `${'1'.padStart(32, '0')} ${'2'.padStart(64, '0')}`],
    ['has one moment in UTC', '2031-11-22T18:20:47.427Z', '2026-01-15T13:00:00.000Z'],
    ['has the same in the shop’s zone', '2031-11-22T18:20:47-03:00', '2026-01-15T10:00:00-03:00'],
    ['has the same in the platform’s local time', '2031-11-22T18:20:47', '2026-01-15T10:00:00'],
    [
      'keeps the hour of a delivery window',
      '"windowStart":"2031-11-23T08:00:00-03:00"',
      '"windowStart":"2026-01-16T08:00:00-03:00"',
    ],
    ['has the moment of the run on a full hour, too', '2031-11-22T18:00:00', '2026-01-15T10:00:00'],
    ['keeps a birth date', '1990-01-01T00:00:00', undefined],
    ['names no port', 'http://127.0.0.1:4100/a.png', 'https://files.example.com/a.png'],
    ['has a delivery on that day of the week', '"scheduledDayOfWeek":2', '"scheduledDayOfWeek":5'],
    ['keeps amounts as they are written', '{"total":12.50,"number":"4711-1"}', undefined],
  ])('%s', (_name, text, expected = text) => {
    expect(normalised(text)).toBe(expected);
    expect(normalised(expected)).toBe(expected);
  });
});
