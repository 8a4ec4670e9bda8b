import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { brandItem, categoryItem, productItem, skuItem, unitSkuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';
import { image } from './support/sku-files.ts';

interface OrderView {
  status: number;
  statusHistory: { status: number }[];
  totals: { total: number };
  invoice: { value: number } | null;
}

/** A day's work of a client that knows only the document, while webhooks arrive twice, late and in any order. */
describe('a whole day', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [
      { kind: 'webhook-double', share: 0.5, seed: 1 },
      { kind: 'webhook-shuffle', ms: 150, seed: 2 },
    ]);
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem()]);
    const child = categoryItem({ externalReference: 'queijos', name: 'Queijos' });
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem({ children: [child] })]);
    await shop.load(merchant, [
      productItem({
        brandExternalReference: 'queijaria',
        categoryExternalReference: 'queijos',
        skus: [skuItem(), unitSkuItem()],
      }),
    ]);
    await shop.upload(merchant, '/v1/Storages/image/upload?externalReference=4711-1', {
      files: [image('front'), image('back')],
      orders: [1, 2],
    });
    await shop.idle();
  });
  afterAll(() => shop.close());

  const BASKET = [
    { skuExternalReference: '1208-1', quantity: 2, unitPrice: 7.1 },
    { skuExternalReference: '4711-1', quantity: 3, unitPrice: 39.9 },
  ];

  async function patch(number: number, status: string): Promise<void> {
    await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status });
  }

  async function view(number: number): Promise<OrderView> {
    return (await shop.admin('GET', `/orders/${number}`)) as OrderView;
  }

  /** Each status once, although some were notified twice. */
  function notified(number: number): number[] {
    return [...new Set(shop.notifiedStatuses(merchant, number))];
  }

  it('starts with a brand, a category, a product, SKUs and images', async () => {
    expect(await shop.admin('GET', '/products/4711')).toMatchObject({
      visible: true,
      readModel: {
        hasImage: true,
        brand: { externalReference: 'queijaria', name: 'Queijaria Teste' },
        category: { externalReference: 'queijos', name: 'Queijos' },
      },
      images: [
        { sku: '4711-1', order: 1 },
        { sku: '4711-1', order: 2 },
      ],
    });
    expect(shop.envelopesOf(merchant, 'Brand_CreationFailed')).toEqual([]);
  });

  it('has a scheduled order prepared, weighed, invoiced to the cent, shipped and delivered', async () => {
    const { number, id } = await shop.buy(merchant, { items: BASKET, deliveryType: 'scheduled' });
    expect(await view(number)).toMatchObject({ totals: { total: 26.17 } });
    await patch(number, 'ORDER_BEING_PREPARED');
    const items = [{ skuExternalReference: '4711-1', quantity: 0.312, unitOfMeasure: 'Kg', price: 38.9, total: 12.14 }];
    await shop.accepted(merchant, 'PUT', `/v1/Orders/${number}`, { finalOrderPrice: 26.34, items });
    const invoice = { number: '000123', issuanceDate: '2026-11-20T13:15:00Z', value: 2634 };
    const path = `/v1/Orders/invoiced/${number}`;
    expect((await shop.call('PUT', path, { body: invoice, headers: merchant.headers })).status).toBe(200);
    await shop.upload(merchant, `/v1/Storages/invoice/upload?orderId=${id}`, {
      files: [{ content: '%PDF-1.4', type: 'application/pdf' }],
    });
    for (const status of ['READY_FOR_PICKUP_OR_DELIVERY', 'SHIPPED', 'DELIVERED']) await patch(number, status);
    await shop.idle();

    const { status, statusHistory, totals, invoice: registered } = await view(number);
    expect(status).toBe(700);
    expect(statusHistory.map((entry) => entry.status)).toEqual([100, 300, 400, 350, 500, 600, 700]);
    expect(notified(number)).toEqual([300, 350, 400, 500, 600, 700, 1300]);
    expect([totals.total, registered?.value]).toEqual([26.34, 2634]);
    const newest = shop
      .envelopesOf(merchant, 'Order_Updated')
      .filter(({ data }) => data.number === number)
      .toSorted((a, b) => String(a.data.updatedAt).localeCompare(String(b.data.updatedAt)))
      .at(-1);
    expect(newest?.data).toMatchObject({ status: 700, deliveryType: 1, subtotal: { total: 26.34 } });
  });

  it('has an express order cancelled while it is prepared, with a late 300', async () => {
    await shop.admin('POST', '/faults', [{ kind: 'webhook-delay', event: 'Order_Updated 300', ms: 600, times: 1 }]);
    const { number } = await shop.buy(merchant, { items: BASKET, deliveryType: 'express' });
    await patch(number, 'ORDER_BEING_PREPARED');
    await shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, { reason: 'Sem estoque' });
    await shop.idle();
    expect(await view(number)).toMatchObject({ status: 800, canBeCancelled: false });
    expect(notified(number)).toEqual([300, 400, 750, 800]);
    await shop.admin('POST', `/orders/${number}/status`, { status: 1100 });
    await shop.admin('POST', `/orders/${number}/status`, { status: 1200 });
    await shop.idle();
    expect(notified(number)).toEqual([300, 400, 750, 800, 1100, 1200]);
  });

  it('has a pickup order with a refused payment, of which only 250 is notified', async () => {
    const { number } = await shop.buy(merchant, { items: BASKET, deliveryType: 'pickup', payment: 'refused' });
    await shop.idle();
    expect(notified(number)).toEqual([250]);
    expect(await view(number)).toMatchObject({ status: 250, canBeCancelled: false, invoice: null, invoiceFile: null });
  });

  it('ends without failures and dead letters', async () => {
    await shop.buy(merchant, { items: BASKET });
    await shop.idle();
    const names = new Set(shop.envelopesOf(merchant).map(({ eventType }) => eventType));
    expect(names).toEqual(new Set(['ProductWithSKUs_Created', 'Order_Updated']));
    expect(await shop.admin('GET', '/dead-letters')).toEqual([]);
  });
});
