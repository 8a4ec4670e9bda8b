import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

const INTEGRATION_ROUTES = [
  ['POST', '/v1/batch/Brands'],
  ['DELETE', '/v1/batch/Brands'],
  ['POST', '/v1/batch/Categories'],
  ['POST', '/v1/batch/Products'],
  ['DELETE', '/v1/batch/Products'],
  ['POST', '/v1/batch/Pricing'],
  ['POST', '/v1/batch/Warehouses'],
  ['POST', '/v1/batch/Warehouses/sku'],
  ['GET', '/v1/batch/Products/4711'],
  ['PUT', '/v1/Orders/1'],
  ['PUT', '/v1/orders/'],
  ['PUT', '/v1/Orders/invoiced/1'],
  ['PATCH', '/v1/Orders/1/status'],
  ['POST', '/v1/Orders/1/cancel'],
  ['GET', '/v1/Orders/1/status'],
  ['GET', '/v1/Orders/1/webhook-payload'],
  ['POST', '/v1/Storages/image/upload?externalReference=1'],
  ['DELETE', '/v1/Storages/image/upload?externalReference=1'],
  ['GET', '/v1/Storages/file/4711-1/1'],
  ['DELETE', '/v1/Storages/file/4711-1'],
  ['DELETE', '/v1/Storages/delete/1'],
  ['POST', '/v1/Storages/invoice/upload?orderId=1'],
  ['GET', '/v1/Storages/invoice?orderId=1'],
  ['POST', '/v1/Webhooks'],
] as const;

describe('a call', () => {
  let shop: Shop;
  let merchant: Merchant;
  let other: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    other = await shop.merchant();
  });
  afterAll(() => shop.close());

  function call(method: string, path: string, headers: Record<string, string>): Promise<Answer> {
    return shop.call(method, path, { headers, ...(method !== 'GET' && { body: [] }) });
  }

  describe.each(INTEGRATION_ROUTES)('%s %s', (method, path) => {
    it('requires Basic credentials', async () => {
      const { 'x-contractAccountId': account } = merchant.headers;
      const answer = await call(method, path, { 'x-contractAccountId': account ?? '' });
      expect(answer).toMatchObject({ status: 401, json: { error: { code: 'UNAUTHORIZED' } } });
      expect(answer.headers.get('www-authenticate')).toBe('Basic');
    });

    it.each(['Basic !!!', 'Basic OmZvbw==', 'Bearer abc', `Basic ${Buffer.from('erp-one:wrong').toString('base64')}`])(
      'is refused with %s',
      async (authorization) => {
        expect((await call(method, path, { ...merchant.headers, authorization })).status).toBe(401);
      },
    );

    it('is refused with the credentials of another merchant', async () => {
      const { authorization = '' } = other.headers;
      expect((await call(method, path, { ...merchant.headers, authorization })).status).toBe(401);
    });

    it('requires the tenant in x-contractAccountId', async () => {
      const { authorization = '' } = merchant.headers;
      const status = path === '/v1/Webhooks' ? 400 : 401;
      expect((await call(method, path, { authorization })).status).toBe(status);
      expect((await call(method, path, { authorization, 'x-contractAccountId': 'acme' })).status).toBe(status);
    });
  });

  it('may name the tenant in any letter case', async () => {
    const headers = { ...merchant.headers, 'x-contractAccountId': merchant.contractAccountId.toUpperCase() };
    expect((await call('POST', '/v1/batch/Products', headers)).status).toBe(200);
  });

  it('of a core route requires X-API-KEY and does not accept Basic', async () => {
    const path = '/v1/gateway/orders/1/details';
    expect((await shop.call('GET', path, { headers: merchant.headers })).status).toBe(401);
    expect((await shop.call('GET', path, { headers: { 'x-api-key': 'wrong' } })).status).toBe(401);
    expect((await shop.call('GET', path, { headers: { 'x-api-key': merchant.apiKey } })).status).toBe(404);
  });

  it('is accepted with the new credentials of a tenant that is added again', async () => {
    const changed = await shop.merchant();
    const { contractAccountId, username, apiKey } = changed;
    await shop.admin('POST', '/tenants', { contractAccountId, username, apiKey, password: 'new' });
    expect((await call('GET', '/v1/Orders/1/status', changed.headers)).status).toBe(401);
  });

  it('of an unknown path is a 404 that names it', async () => {
    expect(await shop.call('GET', '/v1/batch/Nothing')).toMatchObject({
      status: 404,
      json: { error: { code: 'ROUTE_UNKNOWN', message: 'There is no route GET /v1/batch/Nothing' } },
    });
  });

  it('with an unknown method is a 405 that names the allowed ones', async () => {
    const answer = await shop.call('PUT', '/v1/Orders/1/status', { body: {} });
    expect(answer).toMatchObject({ status: 405, json: { error: { code: 'METHOD_NOT_ALLOWED' } } });
    expect(answer.headers.get('allow')).toBe('GET, HEAD, PATCH');
  });

  it('with a body that is not JSON is a 400 if its route reads the body', async () => {
    const answer = await shop.call('PATCH', '/v1/Orders/1/status', { body: '{', headers: merchant.headers });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'NOT_JSON' } } });
  });
});

describe('the admin API', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open({ OPERATIONS_TOKEN: 'operations-token-of-the-sandbox' });
  });
  afterAll(() => shop.close());

  it('requires the operations token if one is configured, on paths without a route too', async () => {
    expect((await shop.call('GET', '/admin/requests')).status).toBe(401);
    expect((await shop.call('GET', '/admin/nothing')).status).toBe(401);
    const headers = { authorization: 'Bearer operations-token-of-the-sandbox' };
    expect((await shop.call('GET', '/admin/requests', { headers })).status).toBe(200);
    expect((await shop.call('GET', '/admin/nothing', { headers })).status).toBe(404);
  });
});
