import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope } from './support/receiver.ts';
import { Shop, type FormFile, type Merchant } from './support/shop.ts';

const INVOICE = { number: '000123', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 };
const PDF: FormFile = { content: '%PDF-1.4 nota', type: 'application/pdf', name: 'nota ç.pdf' };

describe('registration and file of an invoice', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', { invoicedByItself: true, secondInvoice: 'refused' });
  });
  afterAll(() => shop.close());

  async function prepared(): Promise<{ number: number; id: string }> {
    const order = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${order.number}/status`, { status: 400 });
    return order;
  }

  async function attached(orderId: string): Promise<string> {
    const path = `/v1/Storages/invoice/upload?orderId=${orderId}`;
    const { json } = await shop.upload(merchant, path, { files: [PDF] });
    await shop.idle();
    return (json as { operationId: string }).operationId;
  }

  async function register(number: number, invoice = INVOICE): Promise<string> {
    const path = `/v1/Orders/invoiced/${number}`;
    const { json } = await shop.call('PUT', path, { body: invoice, headers: merchant.headers });
    await shop.idle();
    return (json as { transactionId: string }).transactionId;
  }

  async function status(number: number): Promise<unknown> {
    return ((await shop.admin('GET', `/orders/${number}`)) as { status: number }).status;
  }

  async function payload(number: number): Promise<Record<string, unknown>> {
    const path = `/v1/Orders/${number}/webhook-payload`;
    return (await shop.call('GET', path, { headers: merchant.headers })).json as Record<string, unknown>;
  }

  function notifiedBy(operationId: string): Envelope[] {
    return shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
  }

  it('together make an order 350, in either order, notified once', async () => {
    const first = await prepared();
    await register(first.number);
    const upload = await attached(first.id);
    const second = await prepared();
    await attached(second.id);
    const registration = await register(second.number);
    expect(notifiedBy(upload)).toMatchObject([
      { eventType: 'Order_Updated', data: { number: first.number, status: 350 } },
    ]);
    expect(notifiedBy(registration)).toMatchObject([{ data: { number: second.number, status: 350 } }]);
    expect(shop.notifiedStatuses(merchant, first.number)).toEqual([300, 350, 400]);
    const { json } = await shop.call('GET', `/v1/Orders/${first.number}/status`, { headers: merchant.headers });
    expect(json).toEqual({ status: 350 });
  });

  it('let the customer download the invoice only when both are done', async () => {
    const { number, id } = await prepared();
    await register(number);
    expect((await payload(number)).invoiceUrl).toBeNull();
    await attached(id);
    const { invoiceUrl } = await payload(number);
    expect(await (await fetch(String(invoiceUrl))).text()).toBe(PDF.content);
  });

  it('do not change an order’s status if the switch is off, and a PATCH to ORDER_INVOICED makes it 350', async () => {
    await shop.admin('POST', '/switches', { invoicedByItself: false });
    const { number, id } = await prepared();
    await register(number);
    await attached(id);
    expect(await status(number)).toBe(400);
    await shop.accepted(merchant, 'PATCH', `/v1/Orders/${number}/status`, { status: 'ORDER_INVOICED' });
    await shop.idle();
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 350, 400]);
  });

  it('of another invoice are refused, or take the place of the first by the switch', async () => {
    const { number } = await prepared();
    await register(number);
    const refused = await register(number, { ...INVOICE, number: '000124' });
    expect(notifiedBy(refused)).toMatchObject([{ eventType: 'Operation_Failed' }]);
    expect(await payload(number)).toMatchObject({ orderInvoiced: { number: '000123' } });
    await shop.admin('POST', '/switches', { secondInvoice: 'replaces' });
    const taken = await register(number, { ...INVOICE, number: '000124' });
    expect(notifiedBy(taken)).toEqual([]);
    expect(await payload(number)).toMatchObject({ orderInvoiced: { number: '000124' } });
  });

  it('do not move an order back that is ready, shipped or delivered', async () => {
    const { number, id } = await prepared();
    await shop.admin('POST', `/orders/${number}/status`, { status: 500 });
    await register(number);
    await attached(id);
    expect(await status(number)).toBe(500);
  });
});
