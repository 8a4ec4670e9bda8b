import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';
import { fullProduct, fullSku, POLICY } from './support/product-samples.ts';
import { guidOf, readModelOf } from './support/read-models.ts';

const SKUS = sized(20, 100);
const CHANGES = sized(600, 10_000);
/** Share of calls that lose their answer, whether the platform took them or not. */
const LOST_ONE_IN = 9;
/** Of one value: after a third it would stay unconfirmed. */
const MOST_LOSSES = 2;
/** A value that comes after a lost call of an earlier one waits until that can no longer land: up to four time-outs. */
const ENV = { PLATFORM_TIMEOUT_MS: '5000' };

/** A shuffle that a seed gives again. */
function shuffled<T>(items: readonly T[], seed: number): T[] {
  let state = seed;
  const random = (): number => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

describe('price changes in any order', () => {
  const references = Array.from({ length: SKUS }, (_, index) => `sku-${index}`);
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-prices', [{ id: 'acme', deadlines: { settleMs: 200 } }], ENV);
    await gondola.startApp();
    await gondola.startApp();
    await gondola.readTopics();
    const skus = references.map((each) => fullSku({ externalReference: each, reference: each }));
    gondola.shop().readModels.set('1', readModelOf('1', skus));
    await gondola.produce({ value: { ...fullProduct({ externalReference: '1' }), skus } });
    await gondola.until(
      async () => (await gondola.query('SELECT 1 FROM skus WHERE snapshot IS NOT NULL')).length === SKUS,
    );
  });

  afterAll(() => gondola.close());

  it('end at the newest value of each SKU, with two replicas and lost answers, each with its one result (guarantee 3, rule 30)', async () => {
    const seed = 20_261_122;
    let calls = 0;
    const losses = new Map<string, number>();
    gondola.shop().before = ({ path, body }) => {
      if (!path.endsWith('/Pricing') || calls++ % LOST_ONE_IN !== 1) return undefined;
      const prices = (JSON.parse(body) as { price: string }[]).map(({ price }) => price);
      if (prices.some((price) => losses.get(price) === MOST_LOSSES)) return undefined;
      for (const price of prices) losses.set(price, (losses.get(price) ?? 0) + 1);
      return 'drop';
    };
    const changes = Array.from({ length: CHANGES }, (_, index) => ({
      externalReference: references[index % SKUS]!,
      policy: POLICY,
      recordId: `c-${index}`,
      sourceVersion: index,
      data: { price: `${index}.00` },
    }));
    await gondola.produceTo('erp.catalog.prices.v1', ...shuffled(changes, seed).map((value) => ({ value })));
    const finals = () =>
      gondola.results().filter(({ value }) => value['final'] === true && String(value['commandId']).startsWith('c-'));
    await gondola.installation.untilCount(`${CHANGES} results, seed ${seed}`, () => [...finals()], CHANGES);
    const outcomes = Map.groupBy(finals(), ({ value }) => String(value['commandId']));
    expect(outcomes.size).toBe(CHANGES);
    expect([...outcomes.values()].every((its) => its.length === 1)).toBe(true);
    const counts = Object.fromEntries(
      [...Map.groupBy(finals(), ({ value }) => String(value['outcome']))].map(([outcome, its]) => [
        outcome,
        its.length,
      ]),
    );
    expect(Object.keys(counts).toSorted()).toEqual(expect.arrayContaining(['applied', 'invalid', 'superseded']));
    expect((counts['applied'] ?? 0) + (counts['invalid'] ?? 0) + (counts['superseded'] ?? 0)).toBe(CHANGES);
    const posted = gondola.shop().references.flatMap(({ items }) => items as { skuId: string; price: string }[]);
    const last = new Map(posted.map(({ skuId, price }) => [skuId, price]));
    for (const [index, reference] of references.entries()) {
      expect([reference, last.get(guidOf(reference))]).toEqual([reference, `${CHANGES - SKUS + index}.00`]);
    }
  });
});
