import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { layOver } from './known-order.ts';

const anyRecord = fc.dictionary(fc.constantFrom('a', 'items', 'id'), fc.jsonValue());

const item = (skuId: string, totalPerProduct: number) => ({ skuId, totalPerProduct, brandId: `brand of ${skuId}` });

describe('a reading of the payload, laid over the order that is known', () => {
  it('replaces the fields that it has and erases none (rules 9, 18)', () => {
    const known = { user: { id: 'u', email: 'a@example.com' }, currency: 'BRL', subtotal: { total: 10, frete: 2 } };
    const read = { user: { id: 'u' }, currency: null, subtotal: { total: 12 }, items: [{ skuId: 's' }] };
    expect(layOver(known, read)).toEqual({
      user: { id: 'u', email: 'a@example.com' },
      currency: 'BRL',
      subtotal: { total: 12, frete: 2 },
      items: [{ skuId: 's' }],
    });
  });

  it('takes its items for all there are, each with what was known of it (rule 18)', () => {
    const known = { items: [item('a', 1), item('b', 2), item('a', 3)] };
    const read = {
      items: [
        { skuId: 'a', totalPerProduct: 5 },
        { skuId: 'c', totalPerProduct: 7 },
      ],
    };
    expect(layOver(known, read)).toEqual({
      items: [
        { skuId: 'a', totalPerProduct: 5, brandId: 'brand of a' },
        { skuId: 'c', totalPerProduct: 7 },
      ],
    });
    expect(layOver(known, { items: [] })).toEqual(known);
  });

  it('changes nothing of what it was read from, and nothing a second time', () => {
    fc.assert(
      fc.property(anyRecord, anyRecord, (a, b) => {
        const [known, read] = [a, b] as [JsonRecord, JsonRecord];
        const once = layOver(known, read);
        expect(layOver(once, read)).toEqual(once);
        expect(layOver(known, {})).toEqual(known);
      }),
    );
  });
});
