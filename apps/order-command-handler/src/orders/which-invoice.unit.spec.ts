import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { describe, expect, it } from '@jest/globals';
import { isSameInvoice, type Shown, whichInvoice } from './which-invoice.ts';

const WANTED = { number: '4501', issuedAt: '2026-11-20T17:05:00Z', value: '62.75' };
const NOTHING: ShownInvoice = { number: null, issuedAt: null, value: null };

describe('the registered invoice that a payload shows', () => {
  it.each<[string, Partial<ShownInvoice>, Shown]>([
    ['its number', { number: '4501' }, 'this'],
    ['its number with leading zeros', { number: '000004501' }, 'this'],
    ['another number', { number: '4502' }, 'other'],
    ['another number with the same date and value', { ...WANTED, number: '4502' }, 'other'],
    ['all of it', WANTED, 'this'],
    ['its date in local time without a zone', { number: '4501', issuedAt: '2026-11-20T14:05:00.0000000' }, 'this'],
    ['its date in UTC without a zone', { number: '4501', issuedAt: '2026-11-20T17:05:00' }, 'this'],
    ['its date with fractions', { number: '4501', issuedAt: '2026-11-20T14:05:00.9-03:00' }, 'this'],
    ['its day', { number: '4501', issuedAt: '2026-11-20' }, 'this'],
    ['a date that nobody understands', { number: '4501', issuedAt: '20/11/2026' }, 'this'],
    ['another date', { number: '4501', issuedAt: '2026-11-20T14:06:00' }, 'other'],
    ['another day', { number: '4501', issuedAt: '2026-11-21' }, 'other'],
    ['its value in cents', { number: '4501', value: '6275.00' }, 'this'],
    ['another value', { number: '4501', value: '62.74' }, 'other'],
    ['a registration alone', {}, 'unnamed'],
    ['its date and value, but no number', { ...WANTED, number: null }, 'unnamed'],
    ['another value, but no number', { value: '1.00' }, 'other'],
  ])('%s (rule 15)', (_, shown, expected) => {
    expect(whichInvoice([{ ...NOTHING, ...shown }], WANTED)).toBe(expected);
  });

  it('is this one if one of several is (rule 15)', () => {
    const other = { ...NOTHING, number: '4502' };
    expect(whichInvoice([other, { ...NOTHING, number: '4501' }], WANTED)).toBe('this');
    expect(whichInvoice([other, NOTHING], WANTED)).toBe('unnamed');
    expect(whichInvoice([], WANTED)).toBe('none');
    expect(whichInvoice([other], null)).toBe('other');
  });

  it('is the same as one that was sent before only with number, date and value (rule 15)', () => {
    expect(isSameInvoice(WANTED, { ...WANTED, number: '04501' })).toBe(true);
    expect(isSameInvoice(WANTED, { ...WANTED, value: '62.74' })).toBe(false);
    expect(isSameInvoice(WANTED, { ...WANTED, issuedAt: '2026-11-20T17:05:01Z' })).toBe(false);
    expect(isSameInvoice(null, null)).toBe(false);
  });
});
