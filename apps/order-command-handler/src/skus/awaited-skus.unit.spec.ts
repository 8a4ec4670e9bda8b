import { describe, expect, it } from '@jest/globals';
import { readOrderValues } from '../facts/order-values.ts';
import { awaitedSkus, keysOfSkus, type KnownSku } from './match-skus.ts';

const cheese: KnownSku = {
  skuExternalReference: '4711-1',
  skuId: 's-1',
  productId: 'p-1',
  ean: '789',
  reference: 'R1',
  name: 'Queijo',
};
const order = readOrderValues(
  {
    items: [
      { skuId: 's-1', reference: 'R9' },
      { skuId: 's-2', reference: 'R2' },
    ],
  },
  1,
);

describe('the SKUs that an order waits for (rule 11)', () => {
  it('are those of the items that match none, by all that they are looked up by', () => {
    expect(awaitedSkus(order, [])).toEqual(['id s-1', 'id s-2', 'reference R2', 'reference R9']);
    expect(awaitedSkus(order, [cheese])).toEqual(['id s-2', 'reference R2']);
    expect(awaitedSkus(readOrderValues({ items: [{}] }, 1), [])).toEqual([]);
  });

  it('are also those of an ambiguous item, until one SKU is left', () => {
    const other = { ...cheese, skuExternalReference: '4711-2' };
    expect(awaitedSkus(order, [cheese, other])).toContain('id s-1');
  });

  it('are found by the SKUs that become known', () => {
    expect(keysOfSkus([cheese, { skuId: null, reference: '' }])).toEqual(['id s-1', 'reference R1']);
  });
});
