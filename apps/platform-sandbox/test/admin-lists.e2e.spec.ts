import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

type Entry = Record<string, unknown> & { readonly seq: number };

describe('the lists of the admin API', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem()]);
    await shop.load(merchant, [
      productItem({ brandExternalReference: 'queijaria', skus: [skuItem()] }),
      productItem({
        externalReference: '1208',
        slug: 'quinoa',
        name: 'Quinoa',
        title: 'Quinoa',
        skus: [unitSkuItem()],
        active: false,
      }),
      productItem({ externalReference: '1209', slug: 'bare', name: 'Vazio' }),
    ]);
    const price = { skuExternalReference: '4711-1', commercialPolicyId: 'c', price: 39.9, promotionalPrice: 35.5 };
    await shop.accepted(merchant, 'POST', '/v1/batch/Pricing', [price]);
    const stock = [
      { skuExternalReference: '4711-1', warehouseId: 'a', quantity: 3 },
      { skuExternalReference: '4711-1', warehouseId: 'b', quantity: 4.5 },
    ];
    await shop.accepted(merchant, 'POST', '/v1/batch/Warehouses/sku', stock);
    await shop.idle();
  });
  afterAll(() => shop.close());

  async function list(path: string): Promise<Entry[]> {
    return (await shop.admin('GET', path)) as Entry[];
  }

  it('show the shelf with prices, stock, and why a product is hidden', async () => {
    expect(await list('/products')).toMatchObject([
      {
        externalReference: '4711',
        visible: true,
        hiddenBecause: null,
        brand: { externalReference: 'queijaria' },
        skus: [
          {
            externalReference: '4711-1',
            isWeighable: true,
            saleStep: 0.1,
            price: 39.9,
            promotionalPrice: 35.5,
            stock: 7.5,
          },
        ],
      },
      {
        externalReference: '1208',
        visible: false,
        hiddenBecause: 'active is false',
        skus: [{ isWeighable: false, saleStep: 1, price: null, stock: null }],
      },
      { externalReference: '1209', visible: false, hiddenBecause: 'it has no SKU' },
    ]);
    expect((await list('/products?visible=true')).map(({ externalReference }) => externalReference)).toEqual(['4711']);
    expect((await list('/products?q=quinoa')).map(({ externalReference }) => externalReference)).toEqual(['1208']);
    expect((await list('/products?brand=queijaria')).map(({ externalReference }) => externalReference)).toEqual([
      '4711',
    ]);
  });

  it('show merchants and brands, without secrets', async () => {
    const [tenant] = await list('/tenants');
    expect(tenant).toMatchObject({
      username: 'erp-one',
      products: 3,
      webhook: { url: shop.receiver.url, hasToken: true },
    });
    expect(JSON.stringify(tenant)).not.toContain('a-token');
    expect(await list('/brands')).toMatchObject([{ externalReference: 'queijaria', products: 1 }]);
  });

  it('are read page by page in both directions', async () => {
    for (const order of ['oldest', 'newest']) {
      const read: unknown[] = [];
      let next: string | null = '';
      while (next !== null) {
        const answer: Answer = await shop.call('GET', `/admin/products?limit=2&order=${order}${next}`);
        expect(answer.headers.get('x-total')).toBe('3');
        read.push(...(answer.json as Entry[]).map(({ externalReference }) => externalReference));
        const after: string | null = answer.headers.get('x-next-after');
        next = after === null ? null : `&after=${after}`;
      }
      expect(read).toEqual(order === 'oldest' ? ['4711', '1208', '1209'] : ['1209', '1208', '4711']);
    }
  });

  it('show orders by status and by what they contain', async () => {
    const { number } = await shop.buy(merchant);
    await shop.buy(merchant, { payment: 'refused' });
    expect(await list('/orders?status=PAYMENT_APPROVED')).toMatchObject([
      { number, paid: 'approved', statusName: 'PAYMENT_APPROVED' },
    ]);
    expect(await list('/orders?status=250,300')).toHaveLength(2);
    expect(await list(`/orders?q=${number}`)).toHaveLength(1);
    expect(await list('/orders?q=none')).toEqual([]);
    const wrong = await shop.call('GET', '/admin/orders?status=PAYMENT_APROVED');
    expect(wrong.text).toContain('did you mean `PAYMENT_APPROVED`?');
  });

  it('show what was sent for an order, readable, and send it again', async () => {
    const { number } = await shop.buy(merchant);
    await shop.idle();
    const [sent] = await list(`/notifications?orderNumber=${number}`);
    expect(sent).toMatchObject({
      state: 'delivered',
      status: 300,
      attempts: [{ answer: 200 }],
      body: { data: { number } },
    });
    const [delivery] = await list(`/deliveries?orderNumber=${number}&answer=200`);
    expect(delivery).toMatchObject({ notification: sent?.seq, body: { data: { number } } });
    const { notification } = (await shop.admin('POST', `/deliveries/${delivery?.seq}/resend`)) as {
      notification: number;
    };
    await shop.idle();
    expect((await list(`/notifications?orderNumber=${number}`)).map(({ seq }) => seq)).toEqual([
      sent?.seq,
      notification,
    ]);
    const bodies = shop.receiver.received
      .filter(({ envelope }) => envelope.data.number === number)
      .map(({ bytes }) => bytes.toString());
    expect(bodies).toHaveLength(2);
    expect(new Set(bodies).size).toBe(1);
    expect((await shop.call('POST', '/admin/notifications/999999/resend')).status).toBe(404);
  });

  it('show what became of each call, and why a call was refused', async () => {
    const operationId = await shop.load(merchant, [
      productItem({ externalReference: 'bad', name: 'x' }),
      { externalReference: '4711' },
    ]);
    await shop.idle();
    expect(await list(`/operations?operationId=${operationId}`)).toMatchObject([
      {
        outcome: 'partly-refused',
        rejections: [{ about: 'bad' }],
        notifications: [{ state: 'delivered' }, { state: 'delivered' }],
      },
    ]);
    await shop.call('PATCH', '/v1/Orders/1/status', { body: '{', headers: merchant.headers });
    const [refused] = await list('/requests?status=4xx&order=newest&limit=1');
    expect(refused).toMatchObject({
      status: 400,
      contractAccountId: merchant.contractAccountId,
      refusal: { code: 'NOT_JSON' },
    });
    const [accepted] = await list(`/requests?operationId=${operationId}`);
    expect(accepted).toMatchObject({ path: '/v1/batch/Products', refusal: null });
  });

  it.each([
    ['GET', '/admin/deliveries?afer=1', undefined, 'did you mean `after`?'],
    ['GET', '/admin/notifications?state=delivred', undefined, 'state'],
    [
      'POST',
      '/admin/faults',
      [{ kind: 'webhook-loose' }],
      'unknown kind `webhook-loose`; did you mean `webhook-lose`?',
    ],
    ['POST', '/admin/faults', [{ kind: 'delay', tims: 1 }], 'did you mean `times`?'],
    ['POST', '/admin/switches', { transition: 'strict' }, 'unknown switch `transition`; did you mean `transitions`?'],
    ['POST', '/admin/orders/1/status', { status: 'SHIPED' }, 'did you mean `SHIPPED`?'],
    ['POST', '/admin/seed', { product: 5 }, 'unknown field `product`; did you mean `products`?'],
  ])('and the other calls name the word that was meant: %s %s %j', async (method, path, body, sentence) => {
    const answer = await shop.call(method, path, { body });
    expect(answer.status).toBe(400);
    expect((answer.json as { error: { message: string } }).error.message).toContain(sentence);
  });

  it('have kinds of faults and switches in words', async () => {
    expect(await shop.admin('GET', '/fault-kinds')).toContainEqual(
      expect.objectContaining({ kind: 'webhook-lose', of: ['notification'], effect: expect.stringContaining('lost') }),
    );
    expect(await shop.admin('GET', '/switch-kinds')).toContainEqual(
      expect.objectContaining({
        name: 'transitions',
        default: 'lenient',
        schema: { type: 'string', enum: ['lenient', 'strict'] },
      }),
    );
    expect(await shop.admin('GET', '/statuses')).toContainEqual({
      code: 600,
      name: 'SHIPPED',
      isSettable: true,
      isNotified: true,
    });
  });
});

describe('a person at the admin API', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterAll(() => shop.close());

  async function statusesOf(number: number): Promise<number[]> {
    await shop.idle();
    const { statusHistory } = (await shop.admin('GET', `/orders/${number}`)) as { statusHistory: { status: number }[] };
    return statusHistory.map(({ status }) => status);
  }

  it('decides a payment that is pending, once', async () => {
    const { number } = await shop.buy(merchant, { payment: 'pending' });
    expect(await shop.admin('POST', `/orders/${number}/payment`, { payment: 'approved' })).toMatchObject({
      status: 300,
    });
    await shop.admin('POST', `/orders/${number}/payment`, { payment: 'approved' });
    expect((await shop.call('POST', `/admin/orders/${number}/payment`, { body: { payment: 'refused' } })).status).toBe(
      409,
    );
    expect(await statusesOf(number)).toEqual([100, 300]);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300]);
  });

  it('cancels as the shopper, if that is possible, and as the platform from any status', async () => {
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${number}/cancel`, { by: 'shopper' });
    expect(await statusesOf(number)).toEqual([100, 300, 750, 800]);
    const { number: shipped } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${shipped}/status`, { status: 600 });
    await shop.admin('POST', `/orders/${shipped}/cancel`, { by: 'shopper' });
    expect(await statusesOf(shipped)).toEqual([100, 300, 600]);
    await shop.admin('POST', `/orders/${shipped}/cancel`, { by: 'platform' });
    expect(await statusesOf(shipped)).toEqual([100, 300, 600, 750, 800]);
  });

  it('picks with weights for the merchant, whatever the keys of the body are', async () => {
    await shop.admin('POST', '/switches', {
      pickingKeys: { items: 'lines', quantity: 'amount', price: 'p', total: 't' },
    });
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${number}/picking`, {
      items: [{ skuExternalReference: '4711-1', quantity: 0.298 }],
    });
    await shop.admin('POST', `/orders/${number}/merchant-status`, { status: 'ORDER_BEING_PREPARED' });
    expect(await statusesOf(number)).toEqual([100, 300, 400]);
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({
      totals: { total: 11.89 },
      items: [{ quantity: 0.298 }],
    });
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 400, 1300]);
  });

  it('advances the clock: a cancellation and a delayed notification come now, and the time never goes back', async () => {
    await shop.admin('POST', '/switches', { cancellationMs: 600_000 });
    await shop.admin('POST', '/faults', [{ kind: 'webhook-delay', event: 'Order_Updated 300', ms: 600_000 }]);
    const { number } = await shop.buy(merchant);
    await shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, {});
    await waitFor(() => shop.notifiedStatuses(merchant, number).includes(750), { describe: 'the beginning' });
    expect(shop.notifiedStatuses(merchant, number)).toEqual([750]);
    const before = (await shop.admin('GET', '/clock')) as { now: string };
    await shop.admin('POST', '/clock', { advanceMs: 600_000 });
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 750, 800]);
    expect((await shop.call('POST', '/admin/clock', { body: { to: before.now } })).status).toBe(400);
  });

  it('aims faults at one order, and at one item of a batch', async () => {
    await shop.admin('POST', '/reset', { parts: ['faults', 'switches', 'clock'] });
    const [one, other] = [await shop.buy(merchant), await shop.buy(merchant)];
    await shop.idle();
    await shop.admin('POST', '/faults', [
      { kind: 'webhook-lose', orderNumber: one.number },
      { kind: 'error-before', orderNumber: one.number },
      { kind: 'refuse', product: 'aimed' },
    ]);
    for (const { number } of [one, other]) await shop.admin('POST', `/orders/${number}/status`, { status: 400 });
    const read = ({ number }: { number: number }) =>
      shop.call('GET', `/v1/Orders/${number}/status`, { headers: merchant.headers });
    expect([(await read(one)).status, (await read(other)).status]).toEqual([500, 200]);
    await shop.load(
      merchant,
      ['aimed', 'beside'].map((name) => productItem({ externalReference: name, slug: name })),
    );
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, one.number)).toEqual([300]);
    expect(shop.notifiedStatuses(merchant, other.number)).toEqual([300, 400]);
    const products = (await shop.admin('GET', '/products')) as Entry[];
    expect(products.map(({ externalReference }) => externalReference)).toEqual(['4711', 'beside']);
    const [first] = (await shop.admin('GET', '/faults')) as { id: string }[];
    expect((await shop.call('DELETE', `/admin/faults/${first?.id}`)).status).toBe(204);
    expect(await shop.admin('GET', '/faults')).toHaveLength(2);
  });

  it('resets parts, and the others stay', async () => {
    await shop.admin('POST', '/reset', { parts: ['orders', 'logs'] });
    expect(await shop.admin('GET', '/overview')).toMatchObject({
      orders: 0,
      notifications: 0,
      operations: 0,
      requests: 0,
      tenants: 1,
      products: 2,
    });
    await shop.admin('POST', '/reset', { parts: ['catalog', 'faults', 'webhooks'] });
    expect(await shop.admin('GET', '/overview')).toMatchObject({ products: 0, faults: 0, tenants: 1 });
    expect(await shop.admin('GET', '/tenants')).toMatchObject([{ webhook: null }]);
  });
});

describe('a seed', () => {
  it('makes the same shop again, with pictures and a paid order, and another seed another one', async () => {
    const [one, again, other] = [await seeded(7), await seeded(7), await seeded(8)];
    expect(again).toEqual(one);
    expect(other.merchant).not.toBe(one.merchant);
    expect(one.orders).toMatchObject([{ status: 300 }, {}, {}, {}]);
    expect(String(one.products)).toContain('.svg');
  });

  it('fills the only merchant’s shop', async () => {
    const shop = await Shop.open();
    const merchant = await shop.merchant();
    expect(await shop.admin('POST', '/seed', { products: 3, orders: 1 })).toMatchObject({
      contractAccountId: merchant.contractAccountId,
      password: null,
    });
    expect((await shop.call('GET', '/v1/batch/Products/1001', { headers: merchant.headers })).status).toBe(200);
    await shop.close();
  });
});

async function seeded(seed: number): Promise<{ products: unknown; orders: unknown; merchant: string }> {
  const shop = await Shop.open();
  try {
    const { contractAccountId } = (await shop.admin('POST', '/seed', { seed, products: 12, orders: 4 })) as Merchant;
    const products = JSON.stringify(await shop.admin('GET', '/products')).replaceAll(/:\d+\/files\/[\w-]+/g, '');
    const orders = (await shop.admin('GET', '/orders')) as { items: unknown; status: number }[];
    return { products, orders: orders.map(({ items, status }) => ({ items, status })), merchant: contractAccountId };
  } finally {
    await shop.close();
  }
}
