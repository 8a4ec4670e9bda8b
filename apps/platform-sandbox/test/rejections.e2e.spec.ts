import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

type Entry = Record<string, unknown> & { readonly seq: number; readonly operationId: string };

describe('a refusal by the core', () => {
  const lines: Record<string, unknown>[] = [];
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    const log = { write: (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>) };
    shop = await Shop.open({ LOG_LEVEL: 'warn' }, log);
    // The merchant has no subscriptions.
    merchant = await shop.merchant([]);
  });
  afterAll(() => shop.close());

  async function operation(operationId: string): Promise<Entry> {
    return (await shop.admin('GET', `/operations/${operationId}`)) as Entry;
  }

  it('of a batch can be read by its operation id, for each product and SKU, with the reason', async () => {
    const operationId = await shop.load(merchant, [
      productItem({ externalReference: 'good', slug: 'good' }),
      productItem({ externalReference: 'bad', slug: 'good' }),
      productItem({
        externalReference: 'partly',
        slug: 'partly',
        skus: [skuItem(), skuItem({ externalReference: 's', ean: undefined })],
      }),
    ]);
    await shop.idle();
    expect(await operation(operationId)).toMatchObject({
      operationId,
      contractAccountId: merchant.contractAccountId,
      kind: 'product',
      waiting: 0,
      taken: 3,
      silent: 0,
      crashed: 0,
      rejected: 2,
      endedAt: expect.any(String),
      rejections: [
        {
          eventType: 'ProductWithSKUs_CreationFailed',
          about: 'bad',
          sku: null,
          error: { statusCode: 400, validationErrors: [{ key: 'Slug' }] },
        },
        {
          eventType: 'ProductWithSKUs_PartiallyFailed',
          about: 'partly',
          sku: 's',
          error: { statusCode: 400, validationErrors: [{ key: 'EAN' }] },
        },
      ],
    });
  });

  it('is logged with the item and the reason', async () => {
    const operationId = await shop.load(merchant, [
      productItem({ externalReference: 'short', slug: 'short', name: 'x' }),
    ]);
    await shop.idle();
    expect(lines.filter((line) => line['operationId'] === operationId)).toMatchObject([
      {
        level: 'warn',
        msg: 'The core refused an item',
        eventType: 'ProductWithSKUs_CreationFailed',
        externalReference: 'short',
        statusCode: 400,
        detail: expect.stringContaining('Name '),
      },
    ]);
  });

  it.each([
    [
      'POST',
      '/v1/batch/Brands',
      [brandItem({ externalReference: 'b', title: undefined })],
      'Brand_CreationFailed',
      'b',
    ],
    ['PATCH', '/v1/Orders/42/status', { status: 'SHIPPED' }, 'Order_StatusUpdateFailed', '42'],
    ['POST', '/v1/Orders/42/cancel', {}, 'Order_CancelFailed', '42'],
    ['PUT', '/v1/Orders/42', {}, 'Operation_Failed', '42'],
  ])('of a call %s %s can be read, too', async (method, path, body, eventType, about) => {
    const operationId = await shop.accepted(merchant, method, path, body);
    await shop.idle();
    expect(await operation(operationId)).toMatchObject({ rejected: 1, rejections: [{ eventType, about, sku: null }] });
  });

  it('is listed once by ascending seq, like an accepted call', async () => {
    const before = (await shop.admin('GET', '/operations')) as Entry[];
    const seq = before.at(-1)?.seq ?? 0;
    const first = await shop.load(merchant, [productItem({ slug: 'one' }), productItem({ punctuation: 2 })]);
    const second = await shop.accepted(merchant, 'PATCH', '/v1/Orders/42/status', { status: 'SHIPPED' });
    await shop.idle();
    const after = (await shop.admin('GET', `/operations?after=${seq}`)) as Entry[];
    expect(after).toMatchObject([
      { operationId: first, kind: 'product', taken: 2, rejected: 0 },
      { operationId: second, kind: 'order-status', taken: 1, rejected: 1 },
    ]);
    expect(before.map((entry) => entry.seq)).toEqual(before.map((entry) => entry.seq).toSorted((a, b) => a - b));
    expect(await shop.admin('GET', `/operations?after=${after.at(-1)?.seq}`)).toEqual([]);
  });

  it('of an unknown operation is a 404', async () => {
    const answer = await shop.call('GET', '/admin/operations/00000000-0000-4000-8000-000000000000');
    expect(answer.status).toBe(404);
  });
});
