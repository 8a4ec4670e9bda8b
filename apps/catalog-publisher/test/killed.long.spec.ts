import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { fullProduct, fullSku, POLICY, successReport } from './support/product-samples.ts';
import type { CatalogInstallation } from './support/catalog-app.ts';
import type { LoneCatalogWorker } from './support/lone-worker.ts';
import { brand, product } from './support/references.ts';
import type { Reply } from '@gondola/local-stack/testing/test-server';
import { type Shop, silent } from './support/shop.ts';
import { type KilledCatalogWorker, killedCatalogWorker } from './support/killed-worker.ts';
import type { Hold } from './support/hold.ts';

const COMMANDS = 'SELECT id FROM commands FOR UPDATE';

/** The read model of a product that entered (docs/platform.md, "Product read model"). */
function readModel(externalReference: string): object {
  const { commercialPolicyId: _, ...same } = fullProduct({ externalReference });
  const { unitOfMeasurement: unitOfMeasure, ...sku } = fullSku({ externalReference: `${externalReference}-1` });
  return { ...same, commercialPoliticId: POLICY, skus: [{ ...sku, unitOfMeasure }] };
}

/**
 * Whatever a killed process leaves behind must neither be lost nor blindly be done again: each record ends in exactly
 * one result.
 */
describe('a worker that is killed', () => {
  let killed: KilledCatalogWorker['killed'];
  let gondola: CatalogInstallation;
  let shop: Shop;
  let survivor: LoneCatalogWorker;

  beforeEach(async () => {
    ({ killed, gondola } = await killedCatalogWorker({ id: 'acme', deadlines: { settleMs: 100 } }));
    ({ survivor } = killed);
    shop = gondola.shop();
  });

  afterEach(() => killed.close());

  const isAsleep = async () => {
    const rows = await gondola.query(
      "SELECT 1 FROM lanes WHERE kind = 'product' AND lease_until IS NULL AND due_at > now()",
    );
    return rows.length > 0;
  };

  it('before it posted leaves records that are posted once', async () => {
    shop.before = ({ method }): Reply | undefined => (method === 'GET' ? 'hang' : undefined);
    await survivor.storeRecords('product', [{ externalReference: '1', name: 'Queijo novo' }]);
    await killed.start();
    await waitFor(() => gondola.platform.requests.length > 0, { describe: 'the reading' });
    await killed.kill();
    shop.before = () => undefined;
    shop.readModels.set('1', readModel('1'));
    shop.fates.set('1', silent);
    await killed.takeOver();
    await waitFor(() => shop.batchesOf('1').length === 1, { describe: 'the batch' });
    await survivor.storeReport('1', shop.batchesOf('1')[0]!.operationId, successReport('1', []));
    expect(await killed.results(1)).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 1 }]);
  });

  it('after it posted, before it wrote the answer down, leaves records that end by report, by reading, or by another attempt (rules 16, 25)', async () => {
    shop.before = ({ method }): Reply | undefined => (method === 'POST' ? 'hang' : undefined);
    await survivor.storeRecords(
      'product',
      ['reported', 'entered', 'lost'].map((each) => product(each)),
    );
    await killed.start();
    await waitFor(() => gondola.platform.requests.length > 0, { describe: 'the batch' });
    await survivor.storeReport(
      'reported',
      'an operation that nobody heard of',
      successReport('reported', ['reported-1']),
    );
    await killed.kill();
    shop.before = () => undefined;
    shop.fates.set('lost', silent);
    shop.readModels.set('entered', readModel('entered'));
    await killed.takeOver();
    await waitFor(() => shop.batchesOf('lost').length === 1, { describe: 'the second batch' });
    await survivor.storeReport('lost', shop.batchesOf('lost')[0]!.operationId, successReport('lost', ['lost-1']));
    const published = await killed.results(3);
    const ends = published.map(({ commandId, outcome, evidence, attempts }) => [
      commandId,
      outcome,
      evidence,
      attempts,
    ]);
    expect(ends.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['r-entered', 'applied', 'read-back', 1],
      ['r-lost', 'applied', 'event', 2],
      ['r-reported', 'applied', 'event', 1],
    ]);
    expect(shop.batches.flatMap(({ products }) => products).map(({ externalReference }) => externalReference)).toEqual([
      'lost',
    ]);
  });

  it('while it writes the answer down, and another while it writes the end down, leave a record with one result', async () => {
    shop.fates.set('2', silent);
    let hold: Hold | undefined;
    shop.before = async ({ method }) => {
      if (method === 'POST') hold = await gondola.hold(COMMANDS);
      return undefined;
    };
    await survivor.storeRecords('product', [product('2')]);
    await killed.start();
    await waitFor(() => hold?.isWaitedFor() ?? false, { describe: 'the answer to be saved' });
    await killed.kill();
    await hold!.release();
    shop.before = () => undefined;
    const [first] = shop.batchesOf('2');
    await survivor.storeReport('2', first!.operationId, successReport('2', ['2-1']));
    const second = await gondola.hold(COMMANDS);
    await killed.start();
    await waitFor(() => second.isWaitedFor(), { describe: 'the end to be saved' });
    await killed.kill();
    await second.release();
    expect(await survivor.results()).toEqual([]);
    await killed.takeOver();
    expect(await killed.results(1)).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 1 }]);
    expect(shop.batchesOf('2')).toHaveLength(1);
  });

  it('after it posted a brand leaves one that is sent again, since it cannot be read', async () => {
    shop.before = ({ path }): Reply | undefined => (path.endsWith('Brands') ? 'hang' : undefined);
    await survivor.storeRecords('brand', [brand('b')]);
    await killed.start();
    await waitFor(() => gondola.platform.requests.length > 0, { describe: 'the brand' });
    await killed.kill();
    shop.before = () => undefined;
    await killed.takeOver();
    expect(await killed.results(1)).toMatchObject([{ outcome: 'applied', evidence: 'presumed', attempts: 2 }]);
  });

  it('after a brand became known and before its waiting records are woken, leaves none of them waiting (rule 24)', async () => {
    shop.fates.set('3', silent);
    await survivor.storeRecords('product', [{ ...product('3'), brandExternalReference: 'b' }]);
    await killed.start();
    expect(await killed.results(1)).toMatchObject([{ outcome: 'waiting' }]);
    await waitFor(isAsleep, { describe: 'the product to sleep' });
    const hold = await gondola.hold("SELECT id FROM lanes WHERE kind = 'product' FOR UPDATE");
    await survivor.storeRecords('brand', [brand('b')]);
    await waitFor(() => hold.isWaitedFor(), { describe: 'the product to be woken' });
    await killed.kill();
    await hold.release();
    expect(await killed.results(2)).toMatchObject([{ outcome: 'waiting' }, { outcome: 'applied' }]);
    await killed.takeOver();
    await waitFor(() => shop.batchesOf('3').length === 1, { describe: 'the product' });
    await survivor.storeReport('3', shop.batchesOf('3')[0]!.operationId, successReport('3', ['3-1']));
    expect(await killed.results(3)).toMatchObject([{}, {}, { commandId: 'r-3', outcome: 'applied' }]);
  });
});
