import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

/** The fourteen values of `data.status`. */
const STATUSES = [250, 300, 350, 400, 500, 600, 700, 750, 800, 900, 1000, 1100, 1200, 1300];

const NAMES = [
  ['PAYMENT_ERROR', 250],
  ['PAYMENT_APPROVED', 300],
  ['ORDER_INVOICED', 350],
  ['ORDER_BEING_PREPARED', 400],
  ['READY_FOR_PICKUP_OR_DELIVERY', 500],
  ['SHIPPED', 600],
  ['DELIVERED', 700],
  ['ORDER_CANCELLATION_ANALYSIS', 750],
  ['ORDER_CANCELLED', 800],
  ['DELIVERY_FAILED', 900],
  ['ORDER_RETURNED', 1000],
  ['REFUND_IN_PROGRESS', 1100],
  ['REFUND_COMPLETED', 1200],
  ['OrderUpdated', 1300],
] as const;

const ORDER_FAMILY =
  'Order_Created Order_Updated Order_Cancelled Order_CancelRequested Order_StatusUpdated Order_InvoiceCreated Order_InvoiceUploaded Order_CreationFailed Order_UpdateFailed Order_StatusUpdateFailed Order_CancelFailed Operation_Failed'.split(
    ' ',
  );

const BY_PATCH = [
  ['ORDER_BEING_PREPARED', 400],
  ['ORDER_INVOICED', 350],
  ['READY_FOR_PICKUP_OR_DELIVERY', 500],
  ['SHIPPED', 600],
  ['DELIVERED', 700],
  ['DELIVERY_FAILED', 900],
  ['ORDER_RETURNED', 1000],
] as const;

const NOT_BY_PATCH: [string, number][] = NAMES.filter(
  ([, code]) => !BY_PATCH.some(([, settable]) => settable === code),
).map(([name, code]) => [name, code]);

describe('order statuses:', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterAll(() => shop.close());

  async function order(payment = 'approved'): Promise<number> {
    return (await shop.buy(merchant, { payment })).number;
  }

  async function asPlatform(number: number, status: number | string): Promise<void> {
    await shop.admin('POST', `/orders/${number}/status`, { status });
  }

  function status(number: number): Promise<Answer> {
    return shop.call('GET', `/v1/Orders/${number}/status`, { headers: merchant.headers });
  }

  function payload(number: number): Promise<Answer> {
    return shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
  }

  it('the fourteen from 250 upward are notified by Order_Updated with the new order in data, and no other event', async () => {
    const number = await order('pending');
    for (const code of STATUSES) await asPlatform(number, code);
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual(STATUSES);
    const others = shop
      .envelopesOf(merchant)
      .filter(({ eventType, data }) => data.number === number && eventType !== 'Order_Updated');
    expect(others).toEqual([]);
  });

  it('Order_Created never arrives: 100 is below the threshold, without a notification and without a payload', async () => {
    const eager = await shop.merchant(['Order_Created', 'Order_StatusUpdated', 'Order_Updated']);
    await shop.load(eager, [productItem({ skus: [skuItem()] })]);
    await shop.idle();
    const { number } = await shop.buy(eager, { payment: 'pending' });
    await shop.idle();
    expect(shop.envelopesOf(eager)).toEqual([]);
    const answer = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: eager.headers });
    expect(answer.status).toBe(404);
    await asPlatform(number, 300);
    await shop.idle();
    expect(shop.envelopesOf(eager).map(({ eventType }) => eventType)).toEqual(['Order_Updated']);
  });

  it('a merchant who subscribed to every name of the order family receives Order_Updated of an invoiced and a cancelled order, and no other event', async () => {
    const eager = await shop.merchant(ORDER_FAMILY);
    await shop.load(eager, [productItem({ skus: [skuItem()] })]);
    await shop.idle();
    const [invoiced, cancelled] = [await shop.buy(eager), await shop.buy(eager)];
    await shop.accepted(eager, 'PATCH', `/v1/Orders/${invoiced.number}/status`, { status: 'ORDER_BEING_PREPARED' });
    await shop.accepted(eager, 'PUT', `/v1/Orders/${invoiced.number}`, { finalOrderPrice: 1 });
    const invoice = { number: '1', issuanceDate: '2026-11-20T13:15:00Z', value: 100 };
    await shop.call('PUT', `/v1/Orders/invoiced/${invoiced.number}`, { body: invoice, headers: eager.headers });
    const path = `/v1/Storages/invoice/upload?orderId=${invoiced.id}`;
    await shop.upload(eager, path, { files: [{ content: '%PDF', type: 'application/pdf' }] });
    await shop.accepted(eager, 'POST', `/v1/Orders/${cancelled.number}/cancel`, {});
    await shop.idle();
    expect(shop.notifiedStatuses(eager, invoiced.number)).toEqual([300, 350, 400, 1300]);
    expect(shop.notifiedStatuses(eager, cancelled.number)).toEqual([300, 750, 800]);
    expect(new Set(shop.envelopesOf(eager).map(({ eventType }) => eventType))).toEqual(new Set(['Order_Updated']));
  });

  it.each(NAMES)('%s is %d', async (name, code) => {
    const number = await order();
    await asPlatform(number, name);
    await shop.idle();
    const notified = shop.notifiedStatuses(merchant, number);
    expect(notified).toContain(code);
    expect((await status(number)).json).toEqual({ status: code === 1300 ? 300 : code });
  });

  it.each(BY_PATCH)('a PATCH of %s makes it %d, echoed as Order_Updated', async (name, code) => {
    const number = await order();
    const operationId = await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: name });
    await shop.idle();
    const notified = shop.envelopesOf(merchant, 'Order_Updated').filter(({ data }) => data.number === number);
    expect(notified.find((envelope) => envelope.operationId === operationId)?.data.status).toBe(code);
    expect((await status(number)).json).toEqual({ status: code });
    expect((await payload(number)).json).toMatchObject({ status: code });
  });

  it.each(NOT_BY_PATCH)('a PATCH of %s (%d) is refused by the core: Order_StatusUpdateFailed', async (name) => {
    const number = await order();
    const operationId = await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: name });
    await shop.idle();
    const refused = shop.envelopesOf(merchant, 'Order_StatusUpdateFailed');
    expect(refused.filter((envelope) => envelope.operationId === operationId)).toMatchObject([
      { relatedEntity: 'Order', data: { number, status: 300 }, error: { statusCode: 400 } },
    ]);
    expect((await status(number)).json).toEqual({ status: 300 });
  });

  it.each(STATUSES.filter((code) => code !== 1300))(
    'a PATCH to any of 500, 600, 700, 900 and 1000 is accepted in %d',
    async (code) => {
      const number = await order('pending');
      for (const [name, target] of BY_PATCH.slice(2)) {
        await asPlatform(number, code);
        await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: name });
        await shop.idle();
        expect((await status(number)).json).toEqual({ status: target });
      }
    },
  );

  it('1300 is notified and never stored: status and history stay, updatedAt increases', async () => {
    const number = await order();
    const before = (await payload(number)).json as { updatedAt: string };
    await asPlatform(number, 1300);
    const after = (await payload(number)).json as { updatedAt: string; status: number };
    expect(after.status).toBe(300);
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({
      statusHistory: [{ status: 100 }, { status: 300 }],
    });
  });

  it('350 may come after 400, and after 350 an order is ready, shipped and delivered', async () => {
    const number = await order();
    for (const [name] of BY_PATCH.slice(0, 5)) {
      await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: name });
    }
    await shop.idle();
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({
      statusHistory: [100, 300, 400, 350, 500, 600, 700].map((code) => ({ status: code })),
    });
  });

  it('the status of a missing order is a 404, and a PATCH of it Order_StatusUpdateFailed', async () => {
    expect((await status(999_999_999)).status).toBe(404);
    expect((await payload(999_999_999)).status).toBe(404);
    const path = '/v1/Orders/999999999/status';
    const operationId = await shop.accepted(merchant, 'PATCH', path, { status: 'SHIPPED' });
    await shop.idle();
    const refused = shop.envelopesOf(merchant, 'Order_StatusUpdateFailed');
    expect(refused.find((envelope) => envelope.operationId === operationId)).toMatchObject({
      data: { number: 999_999_999, id: null, status: null },
      error: { statusCode: 404 },
    });
  });
});
