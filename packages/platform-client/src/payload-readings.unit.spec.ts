import { describe, expect, it } from '@jest/globals';
import { parseWithDigits, type JsonRecord } from '@gondola/shared/json/json-digits';
import { readFinalPrice, showsRegistration } from './payload-readings.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

describe("what an order's payload says", () => {
  it.each<[string, JsonRecord, boolean]>([
    ['null', { orderInvoiced: null }, false],
    ['absent', {}, false],
    ['an object', { orderInvoiced: {} }, true],
    ['a text', { orderInvoiced: '8812' }, true],
  ])('an invoice is registered or not: %s (rule 15)', (_, payload, expected) => {
    expect(showsRegistration(DEFAULT_WIRE_PROFILE, payload)).toBe(expected);
  });

  it.each<[string, string, string | null]>([
    ['the accepted total', '{"acceptedOrderDetails":{"total":187.40},"subtotal":{"total":1}}', '187.40'],
    ['else the subtotal', '{"acceptedOrderDetails":null,"subtotal":{"total":187.4}}', '187.40'],
    ['zero, which is an amount', '{"acceptedOrderDetails":{"total":0},"subtotal":{"total":1}}', '0.00'],
    ['nothing where there is none', '{"subtotal":{"total":null}}', null],
  ])('the final price is %s (rule 14)', (_, text, expected) => {
    expect(readFinalPrice(DEFAULT_WIRE_PROFILE, parseWithDigits(text) as JsonRecord)).toBe(expected);
  });

  it('both stand elsewhere by the profile', () => {
    const profile = wireProfileSchema.parse({ registrationPath: 'invoice.id', finalPricePaths: ['totals.charged'] });
    const payload = { invoice: { id: 7 }, totals: { charged: '12.45' } };
    expect(showsRegistration(profile, payload)).toBe(true);
    expect(readFinalPrice(profile, payload)).toBe('12.45');
  });
});
