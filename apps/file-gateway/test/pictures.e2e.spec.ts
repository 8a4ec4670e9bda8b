import { randomUUID } from 'node:crypto';
import { TEST_ACCOUNT, tenantOn } from '@gondola/kafka/testing/test-installation';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { png } from './support/contents.ts';
import { FileApp } from './support/file-app.ts';
import { SandboxShop } from './support/sandbox-shop.ts';
import { TENANT } from './support/tenants.ts';

/** The courses of `src/images/any-pictures.unit.spec.ts` that were wrong once, on the sandbox of the platform. */
describe("a SKU's pictures in the shop", () => {
  let shop: SandboxShop;
  let app: FileApp;

  beforeAll(async () => {
    shop = await SandboxShop.open('pictures');
    const tenant = tenantOn(shop.sandbox.url, {
      id: TENANT,
      contractAccountId: TEST_ACCOUNT,
      platform: {
        baseUrl: shop.sandbox.url,
        username: 'erp-one',
        password: { env: 'TEST_PLATFORM_PASSWORD' },
      },
      deadlines: { commandMs: 3_600_000 },
      uploads: { tokens: [{ env: 'TEST_UPLOAD_TOKEN' }] },
    });
    app = await FileApp.start('pictures', { env: { LOST_ANSWER_MS: '300' }, tenants: [tenant] });
  });

  afterAll(async () => {
    await app?.stop();
    await shop?.close();
  });

  async function sold(sku: string): Promise<{ readonly contents: Buffer[]; readonly ids: string[] }> {
    await shop.sell(TEST_ACCOUNT, sku);
    await app.knowSku(sku);
    const contents = [png(), png(), png()];
    return { contents, ids: await Promise.all(contents.map((content) => app.upload(content))) };
  }

  const shown = (sku: string) => shop.pictures(TEST_ACCOUNT, sku);
  const ended = async (commandId: string) => (await app.resultOf(commandId)).value;

  async function does(command: string, fields: object): Promise<Record<string, unknown>> {
    const commandId = randomUUID();
    await app.command({ commandId, command, ...fields });
    return ended(commandId);
  }

  async function urlsOf(sku: string): Promise<string[]> {
    const { data } = await does('ListFiles', { externalReference: sku, fileType: 'SKU' });
    return (data as { urls: string[] }).urls;
  }

  it('stand once after one of three was removed and the right ones were published (rules 32, 35)', async () => {
    const { contents, ids } = await sold('removed');
    expect(await ended(await app.publish('removed', ids))).toMatchObject({ outcome: 'applied', warnings: [] });
    const urls = (await urlsOf('removed')).slice(2);
    const removal = await does('RemoveFiles', { externalReference: 'removed', fileType: 'SKU', urls });
    expect(removal).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    expect(await ended(await app.publish('removed', ids.slice(0, 2)))).toMatchObject({
      outcome: 'applied',
      warnings: [],
    });
    expect(await shown('removed')).toEqual(contents.slice(0, 2));
    expect(await ended(await app.publish('removed', ids.slice(0, 2)))).toMatchObject({ outcome: 'unchanged' });
    expect(await ended(await app.publish('removed', ids))).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(await shown('removed')).toEqual(contents);
  });

  it('stand in another order, with the new main picture, without a replacement (rule 32)', async () => {
    const { contents, ids } = await sold('turned');
    expect(await ended(await app.publish('turned', ids))).toMatchObject({ outcome: 'applied' });
    const turned = await ended(await app.publish('turned', ids.toReversed()));
    expect(turned).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      warnings: [],
      data: { orders: [1, 2, 3], otherOrders: [], otherUrls: [] },
    });
    expect(await shown('turned')).toEqual(contents.toReversed());
    expect(await ended(await app.publish('turned', ids.toReversed()))).toMatchObject({ outcome: 'unchanged' });
  });

  it('that stay in the way of others are named, and go with a replacement (rule 32)', async () => {
    const { contents, ids } = await sold('named');
    await ended(await app.publish('named', ids.slice(0, 2)));
    const last = await ended(await app.publish('named', ids.slice(2)));
    const warnings = [{ code: 'OTHER_IMAGES', field: 'images' }];
    const data = { orders: [1], otherOrders: [1, 2], otherUrls: [] };
    expect(last).toMatchObject({ outcome: 'applied', warnings, data });
    expect(await shown('named')).toHaveLength(3);
    expect(await ended(await app.publish('named', ids.slice(2)))).toMatchObject({
      outcome: 'unchanged',
      warnings,
      data,
    });
    const replaced = await ended(await app.publish('named', ids.slice(2), TENANT, true));
    expect(replaced).toMatchObject({ outcome: 'applied', warnings: [], data: { orders: [1], otherOrders: [] } });
    expect(await shown('named')).toEqual(contents.slice(2));
  });

  it('are gone after their upload was undone, and stand once when they are published again (rules 32, 35)', async () => {
    const { contents, ids } = await sold('undone');
    await ended(await app.publish('undone', ids.slice(0, 1)));
    const undoes = await app.publish('undone', ids);
    expect(await ended(undoes)).toMatchObject({ outcome: 'applied', attempts: 1 });
    const undo = { skuExternalReference: 'undone', undoes };
    expect(await does('UndoImageUpload', undo)).toMatchObject({ outcome: 'applied', evidence: 'read-back' });
    expect(await shown('undone')).toEqual(contents.slice(0, 1));
    expect(await does('UndoImageUpload', undo)).toMatchObject({ outcome: 'unchanged' });
    expect(await ended(await app.publish('undone', ids))).toMatchObject({ outcome: 'applied', attempts: 1 });
    expect(await shown('undone')).toEqual(contents);
  });
});
