import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openApiProblems } from '@gondola/local-stack/testing/openapi-problems';
import { Shop } from './support/shop.ts';

interface Body {
  content?: { 'application/json'?: { schema: object; example?: unknown } };
}

interface Operation {
  summary: string;
  parameters?: { name: string; in: string }[];
  requestBody?: Body;
  responses: Record<string, Body>;
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Body } }>;
}

describe('the OpenAPI document of the sandbox', () => {
  let shop: Shop;
  let document: Document;

  beforeAll(async () => {
    shop = await Shop.open();
    document = (await shop.admin('GET', '/openapi.json')) as Document;
  });
  afterAll(() => shop.close());

  function operations(): { path: string; method: string; operation: Operation }[] {
    return Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  }

  it('is valid OpenAPI 3.1, with an id of each operation, and values of one type', async () => {
    expect(await openApiProblems(document)).toEqual([]);
  });

  it('lists every route and no other', () => {
    const routes = shop.sandbox.routes.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
    const listed = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    const written = routes.map((one) => one.replace('/v1/orders/*', '/v1/orders/')).filter((one) => !one.includes('*'));
    expect(listed.toSorted()).toEqual(written.toSorted());
  });

  it('has a summary and examples of body and answer for each call', () => {
    for (const { path, method, operation } of operations()) {
      const good = Object.entries(operation.responses).flatMap(([status, body]) =>
        Number(status) < 400 ? [body] : [],
      );
      const contents = [operation.requestBody, ...good].flatMap((body) => body?.content?.['application/json'] ?? []);
      const examples = contents.map((content) => 'example' in content);
      expect([method, path, operation.summary.length > 3, ...examples]).not.toContain(false);
    }
  });

  it('documents the answer 413 for every call with a body, except products', () => {
    for (const { path, method, operation } of operations()) {
      const isExpected = operation.requestBody !== undefined && path !== '/v1/batch/Products';
      expect([method, path, '413' in operation.responses]).toEqual([method, path, isExpected]);
    }
  });

  it('names each variable of a path as a parameter', () => {
    for (const { path, operation } of operations()) {
      const named = (operation.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name);
      expect([path, named]).toEqual([path, [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)]);
    }
  });

  it('has the schemas of the very definitions that check, and examples that enter', async () => {
    const { post } = document.paths['/v1/batch/Products'] ?? {};
    const body = post?.requestBody?.content?.['application/json'];
    expect(body?.schema).toMatchObject({
      type: 'array',
      items: {
        required: expect.arrayContaining(['externalReference', 'slug']),
        properties: { name: { minLength: 5, maxLength: 400 } },
      },
    });
    const merchant = await shop.merchant();
    await shop.load(merchant, body?.example);
    await shop.idle();
    expect(shop.envelopesOf(merchant).map(({ eventType }) => eventType)).toEqual(['ProductWithSKUs_Created']);
  });

  it('shows the notifications as they are sent', async () => {
    const merchant = await shop.stockedMerchant();
    const { number } = await shop.buy(merchant);
    await shop.idle();
    const shown = document.webhooks['Order_Updated']?.post.requestBody.content?.['application/json']?.example as {
      data: object;
    };
    const [sent] = shop.envelopesOf(merchant, 'Order_Updated').filter(({ data }) => data.number === number);
    expect(Object.keys(shown)).toEqual(Object.keys(sent ?? {}));
    expect(Object.keys(shown.data)).toEqual(Object.keys(sent?.data ?? {}));
  });

  it('has a page of its own, and one of the sandbox', async () => {
    for (const path of ['/docs', '/', '/orders']) {
      const answer = await shop.call('GET', path, { headers: { accept: 'text/html' } });
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
    }
    expect((await shop.call('GET', '/v1/nothing', { headers: { accept: 'text/html' } })).status).toBe(404);
    expect((await shop.call('GET', '/../package.json')).status).toBe(404);
  });
});
