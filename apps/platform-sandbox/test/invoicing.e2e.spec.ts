import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const INVOICE = { number: '000123', issuanceDate: '2026-11-20T13:15:00Z', value: 1245 };

describe('a PUT of an invoice registration', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterAll(() => shop.close());

  function register(number: number | string, body: unknown = INVOICE, by = merchant): Promise<Answer> {
    return shop.call('PUT', `/v1/Orders/invoiced/${number}`, { body, headers: by.headers });
  }

  async function registered(number: number, body: unknown = INVOICE): Promise<string> {
    const answer = await register(number, body);
    expect(answer.status).toBe(200);
    await shop.idle();
    return (answer.json as { transactionId: string }).transactionId;
  }

  function notifiedBy(operationId: string): Envelope[] {
    return shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
  }

  async function view(number: number): Promise<Record<string, unknown>> {
    return (await shop.admin('GET', `/orders/${number}`)) as Record<string, unknown>;
  }

  async function payload(number: number, query = ''): Promise<Record<string, unknown>> {
    const path = `/v1/Orders/${number}/webhook-payload${query}`;
    return (await shop.call('GET', path, { headers: merchant.headers })).json as Record<string, unknown>;
  }

  it('answers a transaction id and no more', async () => {
    const { number } = await shop.buy(merchant);
    const answer = await register(number);
    expect(answer).toMatchObject({ status: 200, json: { transactionId: expect.stringMatching(GUID) } });
    expect(Object.keys(answer.json as object)).toEqual(['transactionId']);
  });

  it('is stored as sent, appears as orderInvoiced in the payload, and causes no notification', async () => {
    const { number } = await shop.buy(merchant);
    const before = await payload(number);
    expect(before.orderInvoiced).toBeNull();
    const transactionId = await registered(number);
    expect((await view(number)).invoice).toEqual({ ...INVOICE, transactionId });
    const after = await payload(number);
    expect(after.orderInvoiced).toEqual({
      number: '000123',
      issuanceDate: '2026-11-20T10:15:00.0000000',
      value: 12.45,
    });
    expect((await payload(number, '?version=2')).orderInvoiced).toEqual(after.orderInvoiced);
    expect(String(after.updatedAt) > String(before.updatedAt)).toBe(true);
    expect(after.status).toBe(300);
    expect(notifiedBy(transactionId)).toEqual([]);
  });

  it('truncates a fractional value to an integer: 187.45 is 187 cents', async () => {
    const { number } = await shop.buy(merchant);
    await registered(number, { ...INVOICE, value: 187.45 });
    expect((await view(number)).invoice).toMatchObject({ value: 187 });
  });

  it('ignores a key with an unknown name', async () => {
    const { number } = await shop.buy(merchant);
    const transactionId = await registered(number, { ...INVOICE, somethingElse: 1 });
    expect((await view(number)).invoice).toEqual({ ...INVOICE, transactionId });
  });

  it('takes a blank as a number: the document refuses only an empty one', async () => {
    const { number } = await shop.buy(merchant);
    await registered(number, { ...INVOICE, number: ' ' });
    expect((await view(number)).invoice).toMatchObject({ number: ' ' });
  });

  it.each([
    ['number', ''],
    ['number', 123],
    ['number', undefined],
    ['value', undefined],
    ['value', '1245'],
    ['value', -1],
    ['issuanceDate', undefined],
    ['issuanceDate', '2026-11-20T13:15:00'],
    ['issuanceDate', '2026-11-20T10:15:00-03:00'],
    ['issuanceDate', '2026-13-20T13:15:00Z'],
  ])('is a 400 that names %s if it is %j', async (key, value) => {
    const { number } = await shop.buy(merchant);
    const answer = await register(number, { ...INVOICE, [key]: value });
    expect(answer).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining(key) } } });
    await shop.idle();
    expect((await view(number)).invoice).toBeNull();
  });

  it('of a missing order is a 500, and an invalid body a 400 even then', async () => {
    const other = await shop.merchant();
    const { number } = await shop.buy(merchant);
    expect((await register(42)).status).toBe(500);
    expect((await register('x')).status).toBe(500);
    expect((await register(number, INVOICE, other)).status).toBe(500);
    expect((await register(42, {})).status).toBe(400);
    expect((await register(42, '{')).status).toBe(400);
  });

  it('with the same data again changes nothing, and has its own transaction id', async () => {
    const { number } = await shop.buy(merchant);
    const first = await registered(number);
    const before = await payload(number);
    const second = await registered(number, { ...INVOICE, value: 1245.9 });
    expect(second).not.toBe(first);
    expect(await payload(number)).toEqual(before);
    expect((await view(number)).invoice).toEqual({ ...INVOICE, transactionId: first });
    expect(notifiedBy(second)).toEqual([]);
  });

  it('with data other than the registered ones is refused as Operation_Failed', async () => {
    const { number } = await shop.buy(merchant);
    await registered(number);
    const transactionId = await registered(number, { ...INVOICE, value: 1246 });
    expect(notifiedBy(transactionId)).toMatchObject([
      { eventType: 'Operation_Failed', relatedEntity: 'Order', data: { number }, error: { statusCode: 409 } },
    ]);
    expect((await view(number)).invoice).toMatchObject({ value: 1245 });
  });

  it.each([250, 750, 800, 1000, 1100, 1200])('of an order in %d is refused as Operation_Failed', async (status) => {
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', `/orders/${number}/status`, { status });
    const transactionId = await registered(number);
    expect(notifiedBy(transactionId)).toMatchObject([
      { eventType: 'Operation_Failed', data: { number, status }, error: { statusCode: 409 } },
    ]);
    expect((await view(number)).invoice).toBeNull();
  });

  it('is refused on demand, and the refusal can arrive before the answer', async () => {
    const { number } = await shop.buy(merchant);
    await shop.admin('POST', '/faults', [
      { route: '/invoiced/', kind: 'refuse', status: 422, times: 1 },
      { route: '/invoiced/', kind: 'outcome-first', ms: ANSWER_LIMIT_MS, times: 1 },
    ]);
    const { transactionId } = (await register(number)).json as { transactionId: string };
    expect(notifiedBy(transactionId)).toMatchObject([{ eventType: 'Operation_Failed', error: { statusCode: 422 } }]);
  });
});
