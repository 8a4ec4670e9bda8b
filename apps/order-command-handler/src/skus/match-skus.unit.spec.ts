import { describe, expect, it } from '@jest/globals';
import * as fc from 'fast-check';
import { type KnownSku, matchSku, withSkus } from './match-skus.ts';
import { partsOf } from '../orders/published-state.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { pickingProblems } from '../commands/picked-items.ts';

const cheese: KnownSku = {
  skuExternalReference: '4711-1',
  skuId: 's-1',
  productId: 'p-1',
  ean: '789',
  reference: 'R1',
  name: 'Queijo',
};
const item = { skuId: 's-1', productId: 'p-1', ean: '789', reference: 'R1' };
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

  it('is ambiguous if two SKUs match, unless the product distinguishes them (rule 11)', () => {
    const ambiguous = { skuExternalReference: null, name: null, match: 'ambiguous' };
    expect(matchSku(item, [cheese, other({})])).toEqual(ambiguous);
    expect(matchSku({ ...item, skuId: 's-9' }, [cheese, other({ skuId: 's-2' })])).toEqual(ambiguous);
    expect(matchSku(item, [cheese, other({ productId: 'p-2' })])).toMatchObject({ skuExternalReference: '4711-1' });
  });

  it('never has a reference that no SKU of its GUID, or of its reference and EAN, has (rule 11)', () => {
    const text = fc.constantFrom(null, 'a', 'b');
    const sku = fc.record({
      skuExternalReference: fc.constantFrom('x', 'y', 'z'),
      skuId: text,
      productId: text,
      ean: text,
      reference: text,
      name: text,
    });
    const identity = fc.record({ skuId: text, productId: text, ean: text, reference: text });
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

describe('the SKUs of a picking', () => {
  const lines = withSkus(
    readOrderValues({ items: [{ skuId: 's-1' }, { skuId: 's-1' }, { skuId: 'new' }, { skuId: 's-2' }] }, 1),
    [cheese, other({ skuId: 's-2' })],
  ).items;
  const picked = {
    skuExternalReference: '4712-1',
    line: null,
    outcome: 'picked',
    substitutes: null,
    quantity: null,
    unitPrice: null,
    total: null,
  } as const;
  const codes = (...all: Parameters<typeof pickingProblems>[0]): string[] =>
    pickingProblems(all, lines, [cheese]).map(({ code, field }) => `${code} ${field}`);

  it('are those of the order, each by its line where it occurs twice (rule 11)', () => {
    expect(codes(picked)).toEqual([]);
    expect(codes({ ...picked, skuExternalReference: '4711-1' })).toEqual(['SKU_AMBIGUOUS items[0].line']);
    expect(codes({ ...picked, skuExternalReference: '4711-1', line: 2 })).toEqual([]);
    expect(codes({ ...picked, skuExternalReference: '4711-1', line: 4 })).toEqual(['SKU_UNKNOWN items[0].line']);
  });

  it('are named by their line where the catalog does not know them (rule 11)', () => {
    expect(codes({ ...picked, skuExternalReference: 'new-1' })).toEqual(['SKU_UNKNOWN items[0].skuExternalReference']);
    expect(codes({ ...picked, skuExternalReference: 'new-1', line: 3 })).toEqual([]);
  });

  it('are answered with the cancellation of the order where all of them are missing', () => {
    const missing = { ...picked, outcome: 'missing' } as const;
    const all = [1, 2, 3].map((line) => ({ ...missing, skuExternalReference: line === 3 ? 'new-1' : '4711-1', line }));
    expect(codes(...all, missing)).toEqual(['NOTHING_PICKED items']);
    expect(codes(...all)).toEqual([]);
    expect(codes(...all, { ...missing, outcome: 'picked' })).toEqual([]);
    expect(
      codes(...all, { ...missing, outcome: 'substitute', skuExternalReference: '4711-1', substitutes: '4712-1' }),
    ).toEqual([]);
  });

  it('are known to the catalog where they come new, and replace what is in the order (rule 11)', () => {
    const substitute = { ...picked, outcome: 'substitute', skuExternalReference: '4711-1' } as const;
    expect(codes({ ...substitute, substitutes: '4712-1' })).toEqual([]);
    expect(codes({ ...substitute, substitutes: '9' })).toEqual(['SKU_UNKNOWN items[0].substitutes']);
    expect(codes({ ...picked, outcome: 'added', skuExternalReference: '9' })).toEqual([
      'SKU_UNKNOWN items[0].skuExternalReference',
    ]);
  });
});
