import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { readOrderValues } from '../facts/order-values.ts';
import { type KnownSku, withSkus } from './match-skus.ts';
import { skusByOrder } from './skus.repository.ts';

const text = fc.constantFrom(null, '', 'a', 'b', 'c');
const sku = fc.record({
  skuExternalReference: fc.constantFrom('x', 'y', 'z'),
  skuId: text,
  productId: text,
  ean: text,
  reference: text,
  name: text,
});
const item = fc.record({ skuId: text, id: text, ean: text, reference: text });

describe('the SKUs of an order, out of those of many orders', () => {
  it('match its items as all of them would, whatever the others are (rule 11)', () => {
    fc.assert(
      fc.property(fc.array(item, { maxLength: 3 }), fc.array(sku, { maxLength: 6 }), (items, skus) => {
        const order = readOrderValues({ items }, 1);
        expect(withSkus(order, skusByOrder(skus)({ values: order, namedSkus: [] }))).toEqual(withSkus(order, skus));
      }),
    );
  });

  it('exclude SKUs that only another order has', () => {
    const known = { productId: null, ean: null, reference: null, name: null };
    const skus: KnownSku[] = [
      { ...known, skuExternalReference: 'x', skuId: 'a' },
      { ...known, skuExternalReference: 'y', skuId: 'b' },
    ];
    const order = readOrderValues({ items: [{ skuId: 'b' }, { skuId: 'b' }] }, 1);
    expect(skusByOrder(skus)({ values: order, namedSkus: [] })).toEqual([skus[1]]);
  });
});
