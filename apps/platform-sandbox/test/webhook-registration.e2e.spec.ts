import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Merchant, Shop, type Answer } from './support/shop.ts';

const GOOD = { originType: 1, originData: 'x', url: 'http://127.0.0.1:9/', eventTypes: ['Order_Updated'] };

/** Event names of the document's "Subscription" section. */
const ORDER_FAMILY =
  'Order_Created Order_Updated Order_Cancelled Order_CancelRequested Order_StatusUpdated Order_InvoiceCreated Order_InvoiceUploaded Order_CreationFailed Order_UpdateFailed Order_StatusUpdateFailed Order_CancelFailed Operation_Failed';
const CATALOG_FAMILY =
  'ProductWithSKUs_Created ProductWithSKUs_Updated ProductWithSKUs_CreationFailed ProductWithSKUs_UpdateFailed ProductWithSKUs_PartiallyFailed Brand_CreationFailed';

describe('a POST of /v1/Webhooks', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterAll(() => shop.close());

  /** A merchant without a webhook. */
  async function merchant(): Promise<Merchant> {
    const added = new Merchant();
    const { contractAccountId, username, password, apiKey } = added;
    await shop.admin('POST', '/tenants', { contractAccountId, username, password, apiKey });
    return added;
  }

  async function register(body: unknown, headers?: Record<string, string>): Promise<Answer> {
    return shop.call('POST', '/v1/Webhooks', { body, headers: headers ?? (await merchant()).headers });
  }

  it.each([
    ['originType', 'Erp'],
    ['originType', 3],
    ['originType', undefined],
    ['originData', ''],
    ['originData', undefined],
    ['url', ''],
    ['url', undefined],
    ['eventTypes', ['Order_Exploded']],
    ['eventTypes', ['Order_Updated', 14]],
  ])('is a 400 that names %s if it is %j', async (key, value) => {
    const answer = await register({ ...GOOD, [key]: value });
    expect(answer).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining(key) } } });
  });

  it.each([1, 2, 'User', 'Api_call'])('accepts the originType %j', async (originType) => {
    expect((await register({ ...GOOD, originType })).status).toBe(200);
  });

  it.each(['nowhere', ' '])('accepts any non-empty url (%j)', async (url) => {
    expect((await register({ ...GOOD, url })).json).toMatchObject({ url });
  });

  it('ignores a key with an unknown name', async () => {
    expect((await register({ ...GOOD, somethingElse: { deep: true } })).status).toBe(200);
  });

  it('accepts every documented event name', async () => {
    const eventTypes = `${ORDER_FAMILY} ${CATALOG_FAMILY}`.split(' ');
    expect(eventTypes).toHaveLength(18);
    expect((await register({ ...GOOD, eventTypes })).status).toBe(200);
  });

  it.each([[{}], [{ 'x-contractAccountId': 'x' }]])('is a 400 with the tenant header %j', async (header) => {
    const { authorization = '' } = (await merchant()).headers;
    expect((await register(GOOD, { authorization, ...header })).status).toBe(400);
  });

  it('answers only id and url, and 409 from then on: a contractAccountId has one webhook', async () => {
    const { headers } = await merchant();
    const first = await register(GOOD, headers);
    expect(first).toMatchObject({ status: 200, json: { id: expect.any(String), url: GOOD.url } });
    expect(Object.keys(first.json as object)).toEqual(['id', 'url']);
    expect(await register(GOOD, headers)).toMatchObject({ status: 409, json: { error: { code: 'WEBHOOK_EXISTS' } } });
    expect((await register(GOOD)).status).toBe(200);
  });

  it('is a 400 for an invalid body even if a webhook exists', async () => {
    const { headers } = await merchant();
    await register(GOOD, headers);
    expect((await register({ ...GOOD, url: '' }, headers)).status).toBe(400);
  });

  it('is a 500 on demand, and registers nothing', async () => {
    const { headers } = await merchant();
    await shop.admin('POST', '/faults', [{ kind: 'error-before', route: '^POST /v1/Webhooks$', times: 1 }]);
    expect((await register(GOOD, headers)).status).toBe(500);
    expect((await register(GOOD, headers)).status).toBe(200);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE'])('is the only call for webhooks: %s is a 405', async (method) => {
    const { headers } = await merchant();
    const answer = await shop.call(method, '/v1/Webhooks', { headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await shop.call(method, '/v1/Webhooks/1', { headers })).status).toBe(404);
  });
});
