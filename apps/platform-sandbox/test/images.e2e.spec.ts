import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '../src/config.ts';
import { Shop } from './support/shop.ts';
import { image, SkuFiles } from './support/sku-files.ts';

const MAX_BYTES = 3_000_000;
const IMAGES = '/v1/Storages/image/upload';

describe('the images of a SKU', () => {
  let shop: Shop;
  let files: SkuFiles;

  beforeAll(async () => {
    shop = await Shop.open({ UPLOAD_MAX_BYTES: String(MAX_BYTES) });
  });
  afterAll(() => shop.close());

  /** Contents in the data folder, begun ones included, without those of other merchants. */
  async function storedFiles(): Promise<number> {
    const { contractAccountId } = files.merchant;
    const others = [...shop.sandbox.files.table.values()].filter((row) => row.contractAccountId !== contractAccountId);
    return (await readdir(join(shop.dataDir, 'files'))).length - others.length;
  }

  async function untilStored(count: number): Promise<void> {
    await waitFor(async () => (await storedFiles()) === count, { describe: `${count} stored files` });
  }

  it('are uploaded with their display orders, and listed in that order as an array of URL texts', async () => {
    files = await SkuFiles.open(shop);
    const operationId = await files.sent('A/1', [image('three'), image('one'), image('two')], [3, 1, 2]);
    expect(shop.envelopesOf(files.merchant).filter((envelope) => envelope.operationId === operationId)).toEqual([]);
    const { json, status } = await files.list('A/1');
    expect(status).toBe(200);
    expect(json).toEqual([expect.any(String), expect.any(String), expect.any(String)]);
    expect(await files.contents('A/1')).toEqual(['one', 'two', 'three']);
    expect(await files.urls('1208-1')).toEqual([]);
  });

  it('without orders follow the sequence of the upload, after the existing ones', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('b'), image('a')]);
    await files.sent('A/1', [image('d'), image('c')]);
    expect(await files.contents('A/1')).toEqual(['b', 'a', 'd', 'c']);
  });

  it('are added to the existing ones, also at the same order', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('old')], [1]);
    await files.sent('A/1', [image('new'), image('second')], [1, 2]);
    expect(await files.contents('A/1')).toEqual(['old', 'new', 'second']);
  });

  it('show in the product: hasImage, and each image with its SKU, order and URL', async () => {
    files = await SkuFiles.open(shop);
    expect(await files.product()).toMatchObject({ readModel: { hasImage: false }, images: [] });
    await files.sent('1208-1', [image('unit')], [1]);
    await files.sent('A/1', [image('x'), image('y')], [2, 1]);
    const [main, other] = await files.urls('A/1');
    expect(await files.product()).toMatchObject({
      readModel: { hasImage: true },
      images: [
        { sku: 'A/1', order: 1, url: main },
        { sku: 'A/1', order: 2, url: other },
        { sku: '1208-1', order: 1, url: (await files.urls('1208-1'))[0] },
      ],
    });
  });

  it.each([
    ['a SKU that is not there', 'none', [image('x')], [], 404, []],
    ['orders that are fewer than the files', 'A/1', [image('x'), image('y')], [1], 400, ['Orders']],
    ['orders that are more than the files', 'A/1', [image('x')], [1, 2], 400, ['Orders']],
    ['an order that is no whole number', 'A/1', [image('x')], ['first'], 400, ['Orders']],
    ['an order below 1', 'A/1', [image('x')], [0], 400, ['Orders']],
    [
      'a file that is no image',
      'A/1',
      [image('x'), { content: 'y', type: 'application/pdf' }],
      [1, 2],
      400,
      ['Files[1]'],
    ],
  ])(
    'are refused together as Operation_Failed, and not stored: %s',
    async (_why, reference, images, orders, code, keys) => {
      files = await SkuFiles.open(shop);
      const operationId = await files.sent(reference, images, orders);
      expect(files.failures()).toMatchObject([
        {
          operationId,
          relatedEntity: 'ProductWithSKUs',
          data: { externalReference: reference },
          error: { statusCode: code, validationErrors: keys.map((key) => ({ key })) },
        },
      ]);
      expect(await files.urls('A/1')).toEqual([]);
      await untilStored(0);
    },
  );

  it('are refused on demand', async () => {
    files = await SkuFiles.open(shop);
    await shop.admin('POST', '/faults', [{ route: '/image/upload', kind: 'refuse', status: 422, times: 1 }]);
    await files.sent('A/1', [image('x')]);
    expect(files.failures()).toMatchObject([{ error: { statusCode: 422 } }]);
    expect(await files.urls('A/1')).toEqual([]);
  });

  it('without a file, an externalReference or a form are a 400', async () => {
    files = await SkuFiles.open(shop);
    expect((await files.send('A/1', [], [1])).status).toBe(400);
    expect((await shop.upload(files.merchant, IMAGES, { files: [image('x')] })).status).toBe(400);
    const path = `${IMAGES}?externalReference=A`;
    expect((await shop.call('POST', path, { body: {}, headers: files.merchant.headers })).status).toBe(400);
  });

  it('in a form over the limit are a 413, announced by their length or not, and nothing is stored', async () => {
    files = await SkuFiles.open(shop);
    const half = { content: new Uint8Array(MAX_BYTES / 2), type: 'image/png' };
    expect((await files.send('A/1', [half, half])).status).toBe(413);
    const form = new FormData();
    for (let n = 0; n < 4; n += 1) form.append('files', new Blob([half.content], { type: half.type }));
    const { body, headers } = new Response(form);
    const path = `${IMAGES}?externalReference=A%2F1`;
    const chunked = await fetch(`${shop.url}${path}`, {
      method: 'POST',
      headers: { ...files.merchant.headers, 'content-type': headers.get('content-type') ?? '' },
      body,
      duplex: 'half',
    });
    expect(chunked.status).toBe(413);
    expect(await chunked.json()).toMatchObject({ error: { code: 'TOO_LARGE' } });
    await untilStored(0);
    await files.sent('A/1', [{ ...half, content: new Uint8Array(MAX_BYTES - 1_000) }]);
    expect(await files.urls('A/1')).toHaveLength(1);
  });

  it('have a limit of 100 MB unless another one is configured', () => {
    expect(loadConfig({}).uploadMaxBytes).toBe(100_000_000);
  });

  it('that break off are not stored', async () => {
    files = await SkuFiles.open(shop);
    const { hostname, port } = new URL(shop.url);
    const type = 'multipart/form-data; boundary=x';
    const path = `${IMAGES}?externalReference=A%2F1`;
    const call = request({
      hostname,
      port,
      path,
      method: 'POST',
      headers: { ...files.merchant.headers, 'content-type': type },
    });
    call.on('error', () => {});
    call.write('--x\r\nContent-Disposition: form-data; name="files"; filename="a"\r\nContent-Type: image/png\r\n\r\n');
    call.write(Buffer.alloc(1_000_000));
    await untilStored(1);
    call.destroy();
    await untilStored(0);
    expect(await files.urls('A/1')).toEqual([]);
  });

  it('that a process received only in part are deleted at its next start, and the others are kept', async () => {
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('kept')]);
    await shop.stop();
    await writeFile(join(shop.dataDir, 'files', randomUUID()), 'half of a file');
    await shop.start();
    await untilStored(1);
    expect(await files.contents('A/1')).toEqual(['kept']);
  });

  it('are listed by type: 1 to 5, anything else is a 400', async () => {
    files = await SkuFiles.open(shop);
    for (const fileType of [1, 2, 3, 4, 5])
      expect(await files.list('A/1', fileType)).toMatchObject({ status: 200, json: [] });
    for (const fileType of [0, 6, 'SKU']) expect((await files.list('A/1', fileType)).status).toBe(400);
  });
});
