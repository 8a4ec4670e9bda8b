import { mkdir, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { brandItem, categoryItem, productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

const PAUSING = '/admin/sender';
const BODY_LIMIT_BYTES = 32 * 1_048_576;
const PRODUCTS = '/v1/batch/Products';

interface Schema {
  $ref?: string;
  type?: string;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
}

interface Operation {
  requestBody?: { content: { 'application/json'?: { example: unknown } } };
  responses: Record<string, { content?: { 'application/json'?: { schema: Schema } } }>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const TOKEN = 'a-token-of-24-characters-or-more';

describe('the admin API', () => {
  let shop: Shop;
  let merchant: Merchant;
  let document: Document;
  let order: { number: number; id: string };

  beforeEach(async () => {
    shop = await Shop.open();
    merchant = await shop.merchant();
    const brand = { brandExternalReference: 'queijaria' };
    await shop.accepted(merchant, 'POST', '/v1/batch/Brands', [brandItem()]);
    await shop.accepted(merchant, 'POST', '/v1/batch/Categories', [categoryItem()]);
    await shop.accepted(merchant, 'POST', '/v1/batch/Warehouses', [{ id: 'cd-01' }]);
    await shop.load(merchant, [productItem({ ...brand, skus: [skuItem()] })]);
    await shop.idle();
    order = await shop.buy(merchant);
    await shop.idle();
    document = (await shop.admin('GET', '/openapi.json')) as Document;
  });
  afterEach(() => shop.close());

  /** Keys that the schema requires and the value lacks, and keys of the value that the schema does not define. */
  function differences(value: unknown, { $ref, ...inline }: Schema, path = ''): string[] {
    const schema = $ref === undefined ? inline : (document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {});
    const [first, ...others] = schema.anyOf ?? [];
    if (first) return value === null && others.length > 0 ? [] : differences(value, first, path);
    if (Array.isArray(value)) return value.flatMap((entry) => differences(entry, schema.items ?? {}, `${path}[]`));
    if (typeof value !== 'object' || value === null) return [];
    const missing = (schema.required ?? []).flatMap((key) => (key in value ? [] : [`${path}.${key} is missing`]));
    const known = schema.properties;
    const inner = Object.entries(value).flatMap(([key, field]) =>
      known?.[key] ? differences(field, known[key], `${path}.${key}`) : [],
    );
    return [...missing, ...inner];
  }

  it('serves its OpenAPI document at /admin/openapi.json, and no /api without a token', async () => {
    expect(document).toMatchObject({ openapi: '3.1.0' });
    expect((await shop.call('GET', '/api/openapi.json')).status).toBe(403);
  });

  it.each([
    { origin: 'https://shop.example.com' },
    { 'sec-fetch-site': 'cross-site' },
    { 'x-forwarded-for': '127.0.0.1' },
    { 'x-real-ip': '127.0.0.1' },
  ])('without a token, never answers a web page or a proxy: %j', async (headers) => {
    const answer = await shop.call('POST', '/admin/reset', { headers });
    expect(answer).toMatchObject({ status: 403, json: { error: { code: 'FORBIDDEN' } } });
  });

  it('has every route of its document and of the platform’s: no path or method is unknown', async () => {
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const method of Object.keys(methods)) {
        if (path === '/admin/reset' || path.startsWith('/v2')) continue;
        const answer = await shop.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'));
        const code = (answer.json as { error?: { code?: string } } | undefined)?.error?.code;
        expect([method, path, answer.status === 405, code]).not.toContain(true);
        expect([method, path, code]).not.toContain('ROUTE_UNKNOWN');
      }
    }
  });

  it('accepts the examples of its document', async () => {
    const examples = Object.entries(document.paths).flatMap(([path, methods]) => {
      const body = methods.post?.requestBody?.content['application/json']?.example;
      return path.startsWith('/admin/') && body !== undefined ? [[path, body] as const] : [];
    });
    expect(examples.length).toBeGreaterThan(7);
    const { contractAccountId } = merchant;
    // A paused sender is never idle, so the call that pauses it comes last.
    const inOrder = examples.toSorted(([one], [other]) => Number(one === PAUSING) - Number(other === PAUSING));
    for (const [path, example] of inOrder) {
      // So that the wait of the example for idle has nothing to wait for.
      await shop.idle();
      const isOfOne = path === '/admin/orders' || path === '/admin/send-raw';
      const body = isOfOne ? { contractAccountId, ...(example as object) } : example;
      const { status } = await shop.call('POST', path.replace('{number}', String(order.number)), { body });
      expect([path, status < 300]).toEqual([path, true]);
    }
    await shop.admin('DELETE', '/faults');
    await shop.call('POST', PAUSING, { body: { paused: false } });
    await shop.idle();
  });

  it('answers according to its schemas', async () => {
    const account = `?contractAccountId=${merchant.contractAccountId}`;
    const refused = await shop.load(merchant, [{}]);
    await shop.idle();
    const reads: [string, string][] = [
      ['/admin/orders/{number}', `/admin/orders/${order.number}`],
      ['/admin/products/{reference}', `/admin/products/4711${account}`],
      ['/admin/brands/{reference}', `/admin/brands/queijaria${account}`],
      ['/admin/categories/{reference}', `/admin/categories/frios${account}`],
      ['/admin/records/{entity}', `/admin/records/Warehouse${account}`],
      ['/admin/deliveries', '/admin/deliveries?after=0'],
      ['/admin/operations', '/admin/operations?after=0'],
      ['/admin/operations/{operationId}', `/admin/operations/${refused}`],
      ['/admin/requests', '/admin/requests?after=0'],
      ['/admin/dead-letters', '/admin/dead-letters'],
      ['/admin/switches', '/admin/switches'],
    ];
    for (const [path, url] of reads) {
      const { status, json } = await shop.call('GET', url);
      const schema = document.paths[path]?.get?.responses['200']?.content?.['application/json']?.schema;
      expect([path, status, schema === undefined]).toEqual([path, 200, false]);
      expect([path, ...differences(json, schema ?? {})]).toEqual([path]);
    }
  });

  it.each([
    ['POST', '/admin/nothing', {}, 404, 'There is no route POST /admin/nothing'],
    ['PUT', '/admin/faults', [], 405, 'takes DELETE, GET, HEAD, POST'],
    ['POST', '/admin/orders', '{', 400, 'not JSON'],
    ['POST', '/admin/orders', {}, 400, 'items'],
    ['POST', '/admin/tenants', { contractAccountId: 'x' }, 400, 'must be a GUID'],
    ['POST', '/admin/idle', { timeoutMs: 'soon' }, 400, 'timeoutMs'],
    ['POST', '/admin/sender', {}, 400, 'paused'],
    ['POST', '/admin/send-raw', { bodyBase64: '*' }, 400, 'bodyBase64'],
    ['GET', '/admin/orders/abc', undefined, 404, 'no such order'],
    ['GET', '/admin/orders/1', undefined, 404, 'no such order'],
    ['POST', '/admin/orders/1/status', { status: 300 }, 404, 'no such order'],
    ['POST', '/admin/orders/1/status', { status: 'FLYING' }, 400, 'code or the name of a status'],
    ['GET', '/admin/products/none', undefined, 404, 'no such product'],
    ['GET', '/admin/brands/none?contractAccountId={account}', undefined, 404, 'no such brand'],
    ['GET', '/admin/categories/none?contractAccountId={account}', undefined, 404, 'no such category'],
    ['GET', '/admin/deliveries?after=x', undefined, 400, 'after must be a whole number'],
    ['GET', '/admin/brands/x?contractAccountId=y', undefined, 400, 'no tenant'],
  ])('answers %s %s with %j by a %d whose sentence explains why: %s', async (method, path, body, status, sentence) => {
    const url = path.replace('{account}', merchant.contractAccountId);
    const answer: Answer = await shop.call(method, url, { body });
    expect(answer.status).toBe(status);
    expect((answer.json as { error: { message: string } }).error.message).toContain(sentence);
  });

  it('requires the merchant’s name if there are several, and not if there is one', async () => {
    await shop.merchant();
    const body = { items: [{ skuExternalReference: '4711-1', quantity: 1 }], payment: 'approved' };
    const answer = await shop.call('POST', '/admin/orders', { body });
    expect(answer).toMatchObject({ status: 400, json: { error: { code: 'TENANT' } } });
    await shop.admin('POST', '/reset');
    await shop.stockedMerchant();
    expect((await shop.call('POST', '/admin/orders', { body })).status).toBe(201);
  });

  it('answers 413 to a JSON body above 32 MiB on every call with a body, except products', async () => {
    const taking = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { requestBody }]) =>
        requestBody?.content['application/json'] && path !== PRODUCTS ? [{ method: method.toUpperCase(), path }] : [],
      ),
    );
    expect(taking.length).toBeGreaterThan(20);
    for (const { method, path } of taking) {
      const answered = await declared(BODY_LIMIT_BYTES + 1, method, path.replaceAll(/\{\w+\}/g, '1'));
      expect([method, path, answered]).toEqual([method, path, 413]);
    }
  });

  it('takes products beyond 32 MiB, and answers 500 where the document has no 413', async () => {
    const items = JSON.stringify([{ externalReference: 'x', longDescription: 'x'.repeat(BODY_LIMIT_BYTES) }]);
    expect((await shop.call('POST', PRODUCTS, { body: items, headers: merchant.headers })).status).toBe(200);
    expect(await declared(8 * BODY_LIMIT_BYTES + 1, 'POST', PRODUCTS)).toBe(500);
    await shop.idle();
  });

  /** The answer to a call that announces the length of its body but sends none of it. */
  function declared(bytes: number, method: string, path: string): Promise<number | undefined> {
    return new Promise((resolve, reject) => {
      const headers = { ...merchant.headers, 'content-type': 'application/json', 'content-length': bytes };
      const call = request(`${shop.url}${path}`, { method, headers, agent: false }, ({ statusCode }) => {
        resolve(statusCode);
        call.destroy();
      });
      call.on('error', reject);
      call.flushHeaders();
    });
  }
});

describe('a sandbox whose journal cannot be written', () => {
  it('says so where its own state is asked for, and answers nothing else', async () => {
    const shop = await Shop.open({ JOURNAL_MAX_BYTES: '1000', OPERATIONS_TOKEN: TOKEN, LOG_LEVEL: 'silent' });
    const headers = { authorization: `Bearer ${TOKEN}` };
    try {
      await rm(shop.dataDir, { recursive: true });
      const add = (): Promise<Answer> =>
        shop.call('POST', '/admin/faults', { body: [{ kind: 'delay', share: 0 }], headers });
      // A journal that has grown is followed by another file, which there is no folder for.
      await waitFor(async () => (await add()).status === 500, { describe: 'the failure' });
      expect(await shop.call('GET', '/health/ready')).toMatchObject({
        status: 503,
        json: { status: 'failing', checks: { storage: { ok: false, required: true } } },
      });
      for (const path of ['/health/live', '/metrics', '/docs', '/api/info', '/api/openapi.json'])
        expect([path, (await shop.call('GET', path, { headers })).status]).toEqual([path, 200]);
      expect((await shop.call('GET', '/admin/faults', { headers })).status).toBe(500);
    } finally {
      await mkdir(shop.dataDir);
      await shop.close();
    }
  });
});
