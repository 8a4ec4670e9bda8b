import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { indexSkus, type ItemIdentity, type KnownSku, matchSku as matchIn, withSkus } from './match-skus.ts';
import { isBarCode } from '@gondola/shared/fields/trade-codes';
import { partsOf } from '../orders/published-state.ts';
import { readOrderValues } from '../facts/order-values.ts';

const EAN = '7891000100103';
const cheese: KnownSku = {
  skuExternalReference: '4711-1',
  skuId: 's-1',
  productId: 'p-1',
  ean: EAN,
  reference: 'R1',
  name: 'Queijo',
};
const matchSku = (one: ItemIdentity, skus: readonly KnownSku[]) => matchIn(one, indexSkus(skus));

const item = { skuId: 's-1', productId: 'p-1', ean: EAN, reference: 'R1' };
const other = (more: Partial<KnownSku>): KnownSku => ({ ...cheese, skuExternalReference: '4712-1', ...more });

describe("an item's SKU", () => {
  it('is found by its GUID, whatever its reference is (rule 11)', () => {
    expect(matchSku({ ...item, ean: 'x', reference: null }, [cheese])).toEqual({
      skuExternalReference: '4711-1',
      name: 'Queijo',
      match: 'exact',
    });
  });

  it('is found by reference and EAN together where its GUID is not known (rule 11)', () => {
    expect(matchSku({ ...item, skuId: 's-9' }, [cheese])).toMatchObject({ match: 'ean' });
    expect(matchSku({ ...item, skuId: null, ean: null }, [cheese])).toMatchObject({ match: 'unknown' });
    expect(matchSku({ ...item, skuId: null, reference: 'R2' }, [cheese])).toMatchObject({ match: 'unknown' });
  });

  it('is not found by a text that is no GTIN, such as SEM GTIN, but by its GUID (rule 11)', () => {
    const text = fc.oneof(fc.constantFrom('SEM GTIN', '0', '7891000100104', EAN, '2000123456789'), fc.string());
    fc.assert(
      fc.property(text, (ean) => {
        const sku = { ...cheese, ean };
        expect(matchSku({ ...item, ean, skuId: null }, [sku]).match).toBe(isBarCode(ean) ? 'ean' : 'unknown');
        expect(matchSku({ ...item, ean }, [sku]).match).toBe('exact');
      }),
    );
  });

  it('is ambiguous if two SKUs match, unless the product distinguishes them (rule 11)', () => {
    const ambiguous = { skuExternalReference: null, name: null, match: 'ambiguous' };
    expect(matchSku(item, [cheese, other({})])).toEqual(ambiguous);
    expect(matchSku({ ...item, skuId: 's-9' }, [cheese, other({ skuId: 's-2' })])).toEqual(ambiguous);
    expect(matchSku(item, [cheese, other({ productId: 'p-2' })])).toMatchObject({ skuExternalReference: '4711-1' });
  });

  it('never has a reference that no SKU of its GUID, or of its reference and EAN, has (rule 11)', () => {
    const text = fc.constantFrom(null, 'a', 'b');
    const ean = fc.constantFrom(null, 'a', EAN, '2000123456789');
    const sku = fc.record({
      skuExternalReference: fc.constantFrom('x', 'y', 'z'),
      skuId: text,
      productId: text,
      ean,
      reference: text,
      name: text,
    });
    const identity = fc.record({ skuId: text, productId: text, ean, reference: text });
    fc.assert(
      fc.property(identity, fc.array(sku, { maxLength: 4 }), (one, skus) => {
        const { match, skuExternalReference } = matchSku(one, skus);
        expect(skuExternalReference !== null).toBe(match === 'exact' || match === 'ean');
        if (skuExternalReference === null) return;
        const fitting = skus.filter((each) =>
          match === 'exact' ? each.skuId === one.skuId : each.ean === one.ean && each.reference === one.reference,
        );
        expect(fitting.map((each) => each.skuExternalReference)).toContain(skuExternalReference);
      }),
    );
  });

  it('changes nothing of what an order is compared by when it becomes known (rules 10, 11)', () => {
    const order = readOrderValues({ items: [{ skuId: 's-1', id: 'p-1' }] }, 1);
    expect(withSkus(order, [cheese]).items).toMatchObject([{ match: 'exact' }]);
    expect(order.items).toMatchObject([{ match: 'unknown' }]);
    expect(partsOf(order)).toEqual(partsOf(readOrderValues({ items: [{ skuId: 's-1', id: 'p-1' }] }, 1)));
  });
});
