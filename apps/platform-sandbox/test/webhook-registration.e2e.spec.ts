import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Merchant, Shop } from '../src/testing/shop.ts';

const GOOD = { originType: 1, originData: 'x', url: 'http://127.0.0.1:9/', eventTypes: ['Order_Updated'] };

describe('POST /v1/Webhooks', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = new Merchant();
    const { contractAccountId, username, password, apiKey } = merchant;
    await shop.admin('POST', '/tenants', { contractAccountId, username, password, apiKey });
  });
  afterAll(() => shop.close());

  it.each([
    ['originType', 'Erp'],
    ['originData', ''],
    ['url', ''],
    ['eventTypes', ['Order_Exploded']],
  ])('is a 400 that names %s when it is %j', async (key, value) => {
    const answer = await shop.call('POST', '/v1/Webhooks', {
      body: { ...GOOD, [key]: value },
      headers: merchant.headers,
    });
    expect(answer).toMatchObject({ status: 400, json: { error: { message: expect.stringContaining(key) } } });
  });

  it('answers id and url only, and then 409: one webhook exists per contractAccountId', async () => {
    const first = await shop.call('POST', '/v1/Webhooks', { body: GOOD, headers: merchant.headers });
    expect(first).toMatchObject({ status: 200, json: { id: expect.any(String), url: GOOD.url } });
    expect(Object.keys(first.json as object)).toEqual(['id', 'url']);
    const second = await shop.call('POST', '/v1/Webhooks', { body: GOOD, headers: merchant.headers });
    expect(second).toMatchObject({ status: 409, json: { error: { code: 'WEBHOOK_EXISTS' } } });
  });
});
