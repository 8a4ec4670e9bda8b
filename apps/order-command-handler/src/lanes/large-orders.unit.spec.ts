import { growthOf, TRIPLED_THRICE } from '@gondola/shared/testing/growth';
import { describe, expect, it } from '@jest/globals';
import { COMMAND_SETTINGS, NOTHING_LOADED } from '../../test/support/command-settings.ts';
import { at, stateFact } from '../../test/support/facts.ts';
import { layOver } from '../facts/known-order.ts';
import { foldFacts } from '../facts/order-state.ts';
import { readOrderValues } from '../facts/order-values.ts';
import { NOTHING_PUBLISHED, type PublishedState } from '../orders/published-state.ts';
import { type KnownSku, withSkus } from '../skus/match-skus.ts';
import { skusByOrder } from '../skus/skus.repository.ts';
import { planLane } from './lane-plan.ts';

/** 1,000 items, and eight times as many: quadratic work takes 64 times as long. */
const [SMALL, LARGE] = [1_000, 8_000];

type Sort = (n: number) => Pick<KnownSku, 'skuId' | 'reference' | 'ean'>;

/** Items of an order, and SKUs of the catalog. */
const ORDERS: readonly [what: string, item: Sort, sku: Sort][] = [
  ['that are all known', (n) => own(n), (n) => own(n)],
  ['that are all unknown', (n) => own(n), (n) => own(-n - 1)],
  ['that are all known by reference and EAN', (n) => ({ ...own(n), skuId: null }), (n) => own(n)],
  ['of one SKU', () => own(1), (n) => own(n)],
  ['of one SKU that the catalog has again and again', () => own(1), () => own(1)],
  ['of one reference', (n) => ({ ...own(n), skuId: null, reference: 'r' }), (n) => ({ ...own(n), reference: 'r' })],
];

function own(n: number) {
  return { skuId: `guid-${n}`, reference: `reference-${n}`, ean: `ean-${n}` };
}

function listOf<T>(count: number, of: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => of(n));
}

/** Two steps of such an order: its creation, then its next event, each with all of its items. */
function steps(count: number, item: Sort, sku: Sort): () => void {
  const data = { items: listOf(count, (n) => ({ ...item(n), id: 'p', orderedQuantity: 1, salePrice: 1.5 })) };
  const values = readOrderValues(data, 7);
  const known = listOf(count, (n): KnownSku => {
    return { ...sku(n), skuExternalReference: `sku-${n}`, productId: null, name: null };
  });
  const facts = [stateFact(300, at(0)), stateFact(400, at(1))];
  const planned = (published: PublishedState, until: number) => {
    const skus = skusByOrder(known)({ values, namedSkus: [] });
    const row = { ...NOTHING_LOADED.row, published };
    const situation = { ...NOTHING_LOADED, state: foldFacts(facts.slice(0, until)), values, skus, row };
    const plan = planLane(situation, { nowMs: 0, isLagging: false }, { language: 'en', settings: COMMAND_SETTINGS });
    return { ...plan, order: withSkus(values, skus) };
  };
  return () => void planned(planned(NOTHING_PUBLISHED, 1).published, 2);
}

describe('a step of an order with thousands of items', () => {
  it.each(ORDERS)('takes time that at most triples when they double: %s', async (_what, item, sku) => {
    const growth = await growthOf(steps(SMALL, item, sku), steps(LARGE, item, sku), TRIPLED_THRICE);
    expect(growth).toBeLessThanOrEqual(TRIPLED_THRICE);
  });

  it.each(ORDERS)('merges a reading in time that at most triples when they double: %s', async (_what, item) => {
    const merge = (count: number) => {
      const data = { items: listOf(count, item) };
      return () => layOver(data, data);
    };
    expect(await growthOf(merge(SMALL), merge(LARGE), TRIPLED_THRICE)).toBeLessThanOrEqual(TRIPLED_THRICE);
  });
});
