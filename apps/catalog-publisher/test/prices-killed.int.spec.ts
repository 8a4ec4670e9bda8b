import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { guidOf } from './support/read-models.ts';
import type { Shop } from './support/shop.ts';
import { type KilledCatalogWorker, killedCatalogWorker } from './support/killed-worker.ts';

const price = (externalReference: string, amount: number) => ({ externalReference, data: { price: amount } });

describe('a worker of prices that is killed', () => {
  let killed: KilledCatalogWorker['killed'];
  let gondola: KilledCatalogWorker['gondola'];
  let shop: Shop;

  beforeEach(async () => {
    ({ killed, gondola } = await killedCatalogWorker({ id: 'acme', deadlines: { settleMs: 200 } }));
    shop = gondola.shop();
    for (const sku of ['a', 'b']) {
      const snapshot = JSON.stringify({ skuExternalReference: sku, skuId: guidOf(sku), productId: guidOf('1') });
      await gondola.query(
        `INSERT INTO skus (tenant, external_reference, lane_id, product_reference, version, snapshot)
         VALUES ('acme', $1, 0, '1', 1, $2)`,
        [sku, snapshot],
      );
    }
  });

  afterEach(() => killed.close());

  it('behind its call leaves values that are sent again, or superseded by a newer one, each with one result (guarantee 3, rule 16)', async () => {
    const { survivor } = killed;
    shop.before = ({ path }) => (path.endsWith('/Pricing') ? 'hang' : undefined);
    await survivor.storeRecords('price', [price('a', 1), price('b', 1)]);
    await killed.start();
    await waitFor(() => gondola.platform.requests.length > 1, { describe: 'the calls' });
    await killed.kill();
    shop.before = () => undefined;
    await survivor.storeRecords('price', [{ ...price('b', 2), recordId: 'newer' }]);
    await killed.takeOver();
    await killed.results(2);
    await gondola.landLostCalls();
    const results = await killed.results(3);
    const ends = results.map(({ commandId, outcome, attempts }) => [commandId, outcome, attempts]);
    expect(ends.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['newer', 'applied', 1],
      ['r-a', 'applied', 2],
      ['r-b', 'superseded', 1],
    ]);
    const posted = shop.references.flatMap(({ items }) => items as { skuId: string; price: number }[]);
    expect(posted.filter(({ skuId }) => skuId === guidOf('b'))).toEqual([{ price: 2, skuId: guidOf('b') }]);
  });
});
