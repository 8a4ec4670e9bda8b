import { checkHostileRecords } from '@gondola/kafka/testing/hostile-records';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CatalogInstallation } from './support/catalog-app.ts';

const MANY_SKUS = `{"recordId":"skus","externalReference":"skus","skus":[${'{},'.repeat(100_000)}{}]}`;

const TOPICS = [
  { topic: 'erp.catalog.stock.v1', more: [] },
  { topic: 'erp.catalog.products.v1', more: [{ id: 'skus', text: MANY_SKUS, code: 'LIMIT', isCut: false }] },
] as const;

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop catalog-publisher', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await CatalogInstallation.create('cp-hostile', [{ id: 'acme' }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  it.each(TOPICS)('end in one dead letter or result each, and what follows has its own ($topic)', async (about) => {
    const check = checkHostileRecords(gondola.installation, {
      ...about,
      results: 'erp.catalog.results.v1',
      group: 'gondola.catalog-publisher',
      tenant: 'acme',
      fields: (id) => `"recordId":"${id}","externalReference":"${id}"`,
      ordinary: (recordId) => ({ recordId, externalReference: 'ordinary', op: 'upsret' }),
    });
    await expect(check).resolves.toBeUndefined();
  });
});
