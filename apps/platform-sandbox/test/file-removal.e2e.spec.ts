import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop } from './support/shop.ts';
import { image, SkuFiles } from './support/sku-files.ts';

describe('the files of a SKU', () => {
  let shop: Shop;
  let files: SkuFiles;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  it('are removed by URL or by id, and missing ones are skipped', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('a'), image('b'), image('c')]);
    const [first = '', second = ''] = await files.urls('A/1');
    const storageId = /\/files\/([^/]+)/.exec(second)?.[1];
    await files.removed('/v1/Storages/file/A%2F1', {
      fileType: 1,
      urls: [first, 'http://example.com/files/none/x.png'],
    });
    await files.removed('/v1/Storages/file/A%2F1', { fileType: 1, storageIds: [storageId] });
    expect(await files.contents('A/1')).toEqual(['c']);
    expect(files.failures()).toEqual([]);
    expect((await fetch(first)).status).toBe(404);
    await files.removed('/v1/Storages/file/A%2F1', { fileType: 1, urls: [first] });
    expect(files.failures()).toMatchObject([{ data: { externalReference: 'A/1' }, error: { statusCode: 404 } }]);
  });

  it.each([[{ urls: ['x'] }], [{ fileType: 9, urls: ['x'] }], [{ fileType: 1 }], [{ fileType: 1, urls: 'x' }], [null]])(
    'are removed by fileType and urls or storageIds: %j is a 400',
    async (body) => {
      files = await SkuFiles.open(shop);
      const answer = await shop.call('DELETE', '/v1/Storages/file/A', { body, headers: files.merchant.headers });
      expect(answer.status).toBe(400);
    },
  );

  it('are all removed at once by the id of their entity', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('a'), image('b')]);
    await files.sent('1208-1', [image('c')]);
    const { readModel } = await files.product();
    const [sku] = readModel.skus;
    await files.removed(`/v1/Storages/delete/${sku?.id}`);
    expect([await files.urls('A/1'), (await files.urls('1208-1')).length]).toEqual([[], 1]);
    await files.removed(`/v1/Storages/delete/${sku?.id}`);
    expect(files.failures()).toMatchObject([{ data: { id: sku?.id }, error: { statusCode: 404 } }]);
  });

  it('of a fresh upload are undone by the same form', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('same')], [1]);
    await files.sent('A/1', [image('same'), image('other')], [2, 3]);
    await files.sent('A/1', [image('same'), image('other')], [2, 3], 'DELETE');
    expect(await files.contents('A/1')).toEqual(['same']);
    expect(await files.product()).toMatchObject({ images: [{ order: 1 }] });
    expect(files.failures()).toEqual([]);
    await files.sent('A/1', [image('never')], [1], 'DELETE');
    expect(files.failures()).toMatchObject([{ data: { externalReference: 'A/1' }, error: { statusCode: 404 } }]);
  });

  it('are separate from the invoices of an order, which are listed and removed by its number', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('a')]);
    const items = [{ skuExternalReference: 'A/1', quantity: 1 }];
    const { number, id } = await shop.buy(files.merchant, { items });
    const path = `/v1/Storages/invoice/upload?orderId=${id}`;
    for (const content of ['first', 'second']) {
      await shop.upload(files.merchant, path, { files: [{ content, type: 'application/pdf' }] });
    }
    await shop.idle();
    const [, second] = (await files.list(String(number), 4)).json as string[];
    await files.removed(`/v1/Storages/file/${number}`, { fileType: 4, urls: [second] });
    const [first, ...others] = (await files.list(String(number), 4)).json as string[];
    expect(others).toEqual([]);
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ invoiceFile: { url: first, uploads: 1 } });
    await files.removed(`/v1/Storages/delete/${id}`);
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ invoiceFile: null });
    expect(await files.urls('A/1')).toHaveLength(1);
  });

  it('belong to one merchant only', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('mine')]);
    const [url] = await files.urls('A/1');
    files = await SkuFiles.open(shop);
    expect(await files.urls('A/1')).toEqual([]);
    await files.removed('/v1/Storages/file/A%2F1', { fileType: 1, urls: [url] });
    expect(files.failures()).toMatchObject([{ error: { statusCode: 404 } }]);
    expect((await fetch(url ?? '')).status).toBe(200);
  });
});
