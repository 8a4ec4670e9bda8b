import { HOSTILE_REASON_CODES, sendHostileRecords } from '@gondola/messaging/testing/hostile-records';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestInstallation } from './support/catalog-app.ts';
import { brand } from './support/references.ts';

const TOPICS = ['erp.catalog.brands.v1', 'erp.catalog.categories.v1', 'erp.catalog.products.v1'] as const;

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop catalog-publisher', () => {
  let gondola: TestInstallation;

  beforeAll(async () => {
    gondola = await TestInstallation.create('cp-hostile', [{ id: 'acme', deadlines: { settleMs: 80 } }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  it.each(TOPICS)('are dead letters, each with its reason, and the partition goes on (%s)', async (topic) => {
    await sendHostileRecords(gondola.prefix, topic, `${gondola.prefix}gondola.catalog-publisher`);
    const count = HOSTILE_REASON_CODES.length * (TOPICS.indexOf(topic) + 1);
    const letters = (await gondola.deadLetters(count)).filter(
      ({ headers }) => headers['ce_origintopic'] === gondola.prefix + topic,
    );
    const codes = letters.toSorted(byOffset).map(({ headers }) => headers['ce_reasoncode']);
    expect(codes).toEqual(HOSTILE_REASON_CODES);
  });

  it('leave the app answering', async () => {
    await gondola.produceTo('erp.catalog.brands.v1', {
      value: brand('after', { recordId: 'after' }),
      headers: { ce_tenant: 'acme' },
    });
    expect((await gondola.resultOf('after')).value).toMatchObject({ outcome: 'applied' });
  });
});

function byOffset(one: { headers: Record<string, string> }, other: { headers: Record<string, string> }): number {
  return Number(one.headers['ce_originoffset']) - Number(other.headers['ce_originoffset']);
}
