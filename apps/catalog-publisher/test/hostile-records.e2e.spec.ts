import { HOSTILE_REASON_CODES, sendHostileRecords } from '@gondola/messaging/testing/hostile-records';
import { hostileJson, UNREADABLE_JSON } from '@gondola/shared/testing/hostile-json';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { CatalogInstallation } from './support/catalog-app.ts';
import { createInstallation } from './support/natively.ts';
import { brand } from './support/references.ts';

const TOPICS = ['erp.catalog.brands.v1', 'erp.catalog.categories.v1', 'erp.catalog.products.v1'] as const;

/** No record that an ERP writes stops the app: what is unreadable is a dead letter, and what follows has its result. */
describe('records that were made to stop catalog-publisher', () => {
  let gondola: CatalogInstallation;

  beforeAll(async () => {
    gondola = await createInstallation('cp-hostile', [{ id: 'acme', deadlines: { settleMs: 80 } }]);
    await gondola.startApp();
    await gondola.readTopics();
  });

  afterAll(() => gondola.close());

  it.each(TOPICS)('are dead letters, each with its reason, and the partition goes on (%s)', async (topic) => {
    await sendHostileRecords(
      gondola.installation.prefix,
      topic,
      `${gondola.installation.prefix}gondola.catalog-publisher`,
    );
    const count = HOSTILE_REASON_CODES.length * (TOPICS.indexOf(topic) + 1);
    const letters = (await gondola.deadLetters(count)).filter(
      ({ headers }) => headers['ce_origintopic'] === gondola.installation.prefix + topic,
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

  it('and that ask for work without a bound end in one result each, or as dead letters, and the one after them in its own', async () => {
    const before = HOSTILE_REASON_CODES.length * TOPICS.length;
    const hostile = hostileJson((id) => `"recordId":"${id}","externalReference":"${id}"`);
    const skus = `{"recordId":"skus","externalReference":"skus","skus":[${'{},'.repeat(100_000)}{}]}`;
    const headers = { ce_tenant: 'acme' };
    const texts = [...UNREADABLE_JSON.slice(1), skus, ...hostile.map((each) => each.text)];
    for (const value of texts) await gondola.produce({ key: 'k', value, headers });
    await gondola.produce({
      key: 'k',
      value: { externalReference: 'one', recordId: 'ordinary', op: 'upsret' },
      headers,
    });
    expect((await gondola.resultOf('ordinary')).value).toMatchObject({ reason: { code: 'COMMAND_UNKNOWN' } });
    expect((await gondola.resultOf('skus')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'LIMIT', field: 'skus' },
      errors: [{}],
    });
    for (const { id, code, isCut } of hostile) {
      const { value } = await gondola.resultOf(id);
      expect(value).toMatchObject({ outcome: 'invalid', attempts: 0, final: true });
      const codes = (value['errors'] as { code: string }[]).map((error) => error.code);
      expect(codes).toContain(code);
      expect(codes.includes('NOT_LISTED')).toBe(isCut);
    }
    expect((await gondola.deadLetters(before + 1)).at(-1)?.headers).toMatchObject({ ce_reasoncode: 'NOT_JSON' });
  });
});

function byOffset(one: { headers: Record<string, string> }, other: { headers: Record<string, string> }): number {
  return Number(one.headers['ce_originoffset']) - Number(other.headers['ce_originoffset']);
}
