import type { ServerResponse } from 'node:http';
import { createServer } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { makeTestCertificate } from '@gondola/local-stack/testing/test-certificate';
import { TestServer } from '@gondola/local-stack/testing/test-server';
import { waitFor } from '@gondola/local-stack/wait-for';
import { DAY_MS } from '@gondola/shared/durations';
import { FILE_TYPES } from '@gondola/shared/fields/file-types';
import type { CallObservation } from './tenant-caller.ts';
import { MAX_RESPONSE_BYTES } from './exchange.ts';
import { PlatformClient, type PlatformClientOptions } from './platform-client.ts';
import { HELD_MS, type HeldTimeouts, holdTimeouts } from './testing/held-timeouts.ts';
import {
  answer,
  breakOff,
  drop,
  flood,
  type Script,
  ScriptedServer,
  silence,
  stall,
} from './testing/scripted-server.ts';
import { DEFAULT_WIRE_PROFILE, wireProfileSchema } from './wire-profile.ts';

const GUID = '2f6d5b0e-9a53-4c6b-8f0e-6d0a4b1c2d3e';
const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
/** No server listens on this port, and no process gets it as an ephemeral port. */
const NOBODY = 'http://127.0.0.1:1';

let server: ScriptedServer;
let timeouts: HeldTimeouts;
let clients: PlatformClient[];

beforeEach(async () => {
  timeouts = holdTimeouts();
  server = new ScriptedServer();
  clients = [];
  await server.start();
});

afterEach(async () => {
  timeouts.release();
  await server.stop();
  await Promise.all(clients.map((client) => client.close()));
});

function clientOf(options: Partial<PlatformClientOptions> = {}): PlatformClient {
  const client = new PlatformClient({
    tenant: 'acme',
    contractAccountId: '11111111-1111-4111-8111-111111111111',
    baseUrl: server.url,
    coreBaseUrl: server.url,
    username: 'erp-one',
    password: 'påss:word',
    concurrency: 4,
    profile: DEFAULT_WIRE_PROFILE,
    ...options,
  });
  clients.push(client);
  return client;
}

describe('a request to the platform:', () => {
  it('the integration API gets Basic, the tenant and the trace (rule 36)', async () => {
    server.script(answer(200, JSON.stringify(GUID)));
    await clientOf().sendRecords('postProducts', '[]', { traceparent: TRACEPARENT });
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/batch/Products',
      headers: {
        authorization: `Basic ${Buffer.from('erp-one:påss:word').toString('base64')}`,
        'x-contractaccountid': '11111111-1111-4111-8111-111111111111',
        'content-type': 'application/json',
        traceparent: TRACEPARENT,
      },
    });
  });

  it('a body arrives byte for byte: digits, order, null and odd characters (rule 21)', async () => {
    const body = '[ {"b":1.10,"a":12345678901234567890, "n":null,"t":"ç 🧀 \\u0041"} ]';
    server.script(answer(200, JSON.stringify(GUID)));
    await clientOf().sendRecords('postProducts', body);
    expect(server.requests[0]?.body).toBe(body);
  });

  it.each(['4711', 'a/b', '../x', '..', 'queijo & pão #1?', '100%', 'ç🧀', 'a+b;c'])(
    'the reference %j stays one path segment (rule 36)',
    async (reference) => {
      await clientOf().getProduct(reference);
      const url = server.requests[0]?.url ?? '';
      expect(url).toMatch(/^\/v1\/batch\/Products\/[\w.~%!*'()-]+$/);
      expect(url).not.toMatch(/\/\.{1,2}$/);
      expect(decodeURIComponent(url.slice('/v1/batch/Products/'.length))).toBe(reference);
    },
  );

  it('a path before /v1 is kept', async () => {
    await clientOf({ baseUrl: `${server.url}/shop/` }).getProduct('4711');
    expect(server.requests[0]?.url).toBe('/shop/v1/batch/Products/4711');
  });

  it('the routes of orders follow the default wire profile', async () => {
    const client = clientOf();
    await client.patchOrderStatus('100234', 'ORDER_BEING_PREPARED');
    await client.getOrderStatus('100234');
    await client.getWebhookPayload('100234');
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/v1/Orders/100234/status', '{"status":"ORDER_BEING_PREPARED"}'],
      ['GET', '/v1/Orders/100234/status', ''],
      ['GET', '/v1/Orders/100234/webhook-payload?version=2', ''],
    ]);
  });

  it('the routes of the catalog, of orders and of files are those of the document (rules 15, 33)', async () => {
    const client = clientOf();
    await client.sendRecords('postBrands', '[{"a":1.10}]');
    await client.sendRecords('deleteBrands', JSON.stringify(['b/1', 'ç']));
    await client.sendRecords('postCategories', '[]');
    await client.sendRecords('postPrices', '[{"price":1.10}]');
    await client.sendRecords('postWarehouses', '[]');
    await client.sendRecords('postStock', '[]');
    await client.putOrder('7', '{"finalOrderPrice":12.40}');
    await client.putInvoiced('7', '{"value":1240}');
    await client.cancelOrder('7', 'sem estoque');
    await client.listFiles('4711/1', FILE_TYPES.SKU);
    await client.removeFiles('4711/1', { fileType: FILE_TYPES.SKU, urls: ['https://files.example.com/1.png'] });
    await client.removeFiles('4711/1', { fileType: FILE_TYPES.Invoice, urls: [], storageIds: ['f-1'] });
    await client.removeAllFiles('a/b');
    await client.getInvoice(GUID);
    expect(server.requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', '/v1/batch/Brands', '[{"a":1.10}]'],
      ['DELETE', '/v1/batch/Brands', '["b/1","ç"]'],
      ['POST', '/v1/batch/Categories', '[]'],
      ['POST', '/v1/batch/Pricing', '[{"price":1.10}]'],
      ['POST', '/v1/batch/Warehouses', '[]'],
      ['POST', '/v1/batch/Warehouses/sku', '[]'],
      ['PUT', '/v1/Orders/7', '{"finalOrderPrice":12.40}'],
      ['PUT', '/v1/Orders/invoiced/7', '{"value":1240}'],
      ['POST', '/v1/Orders/7/cancel', '{"reason":"sem estoque"}'],
      ['GET', '/v1/Storages/file/4711%2F1/1', ''],
      ['DELETE', '/v1/Storages/file/4711%2F1', '{"fileType":1,"urls":["https://files.example.com/1.png"]}'],
      ['DELETE', '/v1/Storages/file/4711%2F1', '{"fileType":4,"storageIds":["f-1"]}'],
      ['DELETE', '/v1/Storages/delete/a%2Fb', ''],
      ['GET', `/v1/Storages/invoice?orderId=${GUID}`, ''],
    ]);
  });

  it('a webhook is registered with its token and events, and the observer sees neither (rule 37)', async () => {
    const told: CallObservation[] = [];
    server.scripts(answer(200, '{"id":"wh-1","url":"https://erp.example.com/"}'), answer(409), answer(500));
    const client = clientOf({ observe: (observation) => told.push(observation) });
    const registration = { url: 'https://erp.example.com/', authToken: 'secret', eventTypes: ['Order_Updated'] };
    expect(await client.registerWebhook(registration)).toEqual({ kind: 'registered', id: 'wh-1' });
    expect(await client.registerWebhook(registration)).toEqual({ kind: 'exists' });
    expect(await client.registerWebhook(registration)).toMatchObject({ kind: 'unknown', cause: 'server-error' });
    const [first] = server.requests;
    expect(first).toMatchObject({ method: 'POST', url: '/v1/Webhooks' });
    expect(JSON.parse(first!.body)).toEqual({
      originType: 'Api_call',
      originData: 'gondola',
      authType: 'Bearer',
      ...registration,
    });
    expect(told.map(({ route, kind }) => [route, kind])).toEqual([
      ['registerWebhook', 'registered'],
      ['registerWebhook', 'exists'],
      ['registerWebhook', 'unknown'],
    ]);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('the wire profile changes what is sent and read', async () => {
    const profile = wireProfileSchema.parse({
      patchStatusBody: { order: { newStatus: '<NAME>', why: ['set to <NAME>', 1, null] } },
      orderStatusPaths: ['order.state'],
      webhookPayloadPath: '/v2/Orders/{orderNumber}/webhook-payload',
      cancelBody: { why: '<REASON>' },
      pricingPath: '/v2/prices',
      warehousesPath: '/v2/warehouses',
      stockPath: '/v2/stock',
    });
    server.scripts(answer(200), answer(200, '{"status":400,"order":{"state":500}}'), answer(200, '{}'));
    const client = clientOf({ profile });
    await client.patchOrderStatus('7', 'SHIPPED');
    expect(await client.getOrderStatus('7')).toEqual({ kind: 'found', value: 500, platformMs: expect.any(Number) });
    await client.getWebhookPayload('7');
    expect(server.requests[0]?.body).toBe('{"order":{"newStatus":"SHIPPED","why":["set to SHIPPED",1,null]}}');
    await client.cancelOrder('7', 'sem estoque');
    expect(server.requests[2]?.url).toBe('/v2/Orders/7/webhook-payload');
    expect(server.requests[3]?.body).toBe('{"why":"sem estoque"}');
    await client.sendRecords('postPrices', '[]');
    await client.sendRecords('postWarehouses', '[]');
    await client.sendRecords('postStock', '[]');
    expect(server.requests.slice(4).map(({ url }) => url)).toEqual(['/v2/prices', '/v2/warehouses', '/v2/stock']);
  });

  it('an invalid trace header is omitted', async () => {
    server.script(answer(200, JSON.stringify(GUID)));
    const sent = await clientOf().sendRecords('postProducts', '[]', { traceparent: 'x\r\nx-injected: 1' });
    expect(sent.kind).toBe('accepted');
    expect(server.requests[0]?.headers).not.toHaveProperty('traceparent');
    expect(server.requests[0]?.headers).not.toHaveProperty('x-injected');
  });
});

describe('an answer of the platform:', () => {
  it('a read returns the text as received', async () => {
    const body = '{ "externalReference":"4711","number":7,"weight":1.10 }';
    server.script(answer(200, body));
    expect(await clientOf().getProduct('4711')).toMatchObject({ kind: 'found', value: body });
    expect(await clientOf().getWebhookPayload('7')).toMatchObject({ kind: 'found', value: body });
  });

  it.each(['', 'null', '[]', '{}', '"text"', '<html></html>', '{"cut":', '{"status":500,"title":"falha"}'])(
    'a read whose answer is %j is unreadable',
    async (body) => {
      server.script(answer(200, body));
      const expected = expect.objectContaining({ kind: 'unavailable', cause: 'unreadable' });
      expect(await clientOf().getProduct('4711')).toEqual(expected);
      expect(await clientOf().getWebhookPayload('7')).toEqual(expected);
    },
  );

  it('a 404 means that a product or an order does not exist', async () => {
    server.script(answer(404));
    expect(await clientOf().getProduct('4711')).toEqual({ kind: 'not-found' });
    expect(await clientOf().getWebhookPayload('7')).toEqual({ kind: 'not-found' });
  });

  it('a redirect is not followed', async () => {
    server.script(answer(307, '', { location: '/elsewhere' }));
    expect(await clientOf().sendRecords('postProducts', '[]')).toMatchObject({ kind: 'unknown', status: 307 });
    expect(server.requests).toHaveLength(1);
  });

  it('an endless answer is cut off: lost for a mutation, unreadable for a read (rule 25)', async () => {
    server.script(flood(200, 8 * MAX_RESPONSE_BYTES));
    const client = clientOf();
    const lost = { kind: 'unknown', cause: 'unreadable', status: 200 };
    expect(await client.sendRecords('postProducts', '[]')).toMatchObject(lost);
    expect(await client.getProduct('4711')).toMatchObject({ kind: 'unavailable', cause: 'unreadable' });
  });

  it('an answer in another encoding is unreadable', async () => {
    server.script((response) => {
      response.writeHead(200).end(Buffer.from([0x1f, 0x8b, 0x08, 0xff]));
    });
    expect(await clientOf().getProduct('4711')).toMatchObject({ kind: 'unavailable', cause: 'unreadable' });
  });
});

describe('a call that changes something is made once, even if its answer is lost (rules 16, 36):', () => {
  it('without an answer within the time-out it is unknown', async () => {
    server.script(silence);
    const call = clientOf({ timeoutMs: HELD_MS }).sendRecords('postProducts', '[]');
    await waitFor(() => server.requests.length > 0, { describe: 'the request' });
    timeouts.timeOut();
    expect(await call).toEqual({ kind: 'unknown', cause: 'timeout' });
    expect(server.requests).toHaveLength(1);
  });

  it('with a connection that breaks before the answer it is unknown', async () => {
    server.scripts(drop, answer(200, JSON.stringify(GUID)));
    const client = clientOf();
    expect(await client.patchOrderStatus('7', 'SHIPPED')).toEqual({ kind: 'unknown', cause: 'dropped' });
    expect(await client.sendRecords('postProducts', '[]')).toEqual({ kind: 'accepted', operationId: GUID });
    expect(server.requests.map(({ method }) => method)).toEqual(['PATCH', 'POST']);
  });

  it('after 500 it is unknown, with the platform’s message', async () => {
    server.script(answer(500, 'falha'));
    const answered = await clientOf().sendRecords('postProducts', '[]');
    expect(answered).toEqual({ kind: 'unknown', cause: 'server-error', status: 500, message: 'falha' });
    expect(server.requests).toHaveLength(1);
  });

  it('aborted while it runs it is unknown', async () => {
    const giveUp = new AbortController();
    server.script(() => giveUp.abort());
    const answered = await clientOf().sendRecords('postProducts', '[]', { signal: giveUp.signal });
    expect(answered).toEqual({ kind: 'unknown', cause: 'dropped' });
  });

  it('if the answer breaks off after its 200 it is unknown, and a read is to be repeated', async () => {
    server.script(breakOff(200, `"${GUID}`));
    const client = clientOf();
    const lost = { kind: 'unknown', cause: 'dropped', status: 200 };
    expect(await client.sendRecords('postProducts', '[]')).toEqual(lost);
    expect(await client.getProduct('4711')).toMatchObject({ kind: 'unavailable', cause: 'dropped' });
    expect(server.requests).toHaveLength(2);
  });

  it('if the answer stalls after its 200 it is unknown, and a read is to be repeated', async () => {
    server.script(stall(200, `"${GUID}`));
    const client = clientOf({ timeoutMs: HELD_MS });
    timeouts.timeOutOnceAnswered();
    const lost = { kind: 'unknown', cause: 'timeout', status: 200 };
    expect(await client.sendRecords('postProducts', '[]')).toEqual(lost);
    timeouts.timeOutOnceAnswered();
    expect(await client.getProduct('4711')).toMatchObject({ kind: 'unavailable', cause: 'timeout' });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a call that cannot have reached the platform is unavailable (rule 16):', () => {
  it('the connection is refused', async () => {
    const client = clientOf({ baseUrl: NOBODY });
    expect(await client.sendRecords('postProducts', '[]')).toMatchObject({
      kind: 'unavailable',
      cause: 'connection-refused',
    });
  });

  it('the host is unknown', async () => {
    const client = clientOf({ baseUrl: 'http://nowhere.invalid' });
    expect(await client.sendRecords('postProducts', '[]')).toMatchObject({
      kind: 'unavailable',
      cause: 'connection-refused',
    });
  });

  it('the TLS handshake does not end', async () => {
    const mute = createServer(() => undefined);
    await new Promise<void>((resolve) => {
      mute.listen(0, '127.0.0.1', resolve);
    });
    const { port } = mute.address() as { port: number };
    const client = clientOf({ baseUrl: `https://127.0.0.1:${port}`, timeoutMs: 500 });
    expect(await client.sendRecords('postProducts', '[]')).toMatchObject({
      kind: 'unavailable',
      cause: 'connection-refused',
    });
    mute.close();
  });

  it('the call was aborted before it was sent', async () => {
    const sent = await clientOf().sendRecords('postProducts', '[]', { signal: AbortSignal.abort() });
    expect(sent).toMatchObject({ kind: 'unavailable', cause: 'paused' });
    expect(server.requests).toHaveLength(0);
  });

  it('an empty reference and a closed client are bugs, and nothing is sent', async () => {
    const client = clientOf();
    await expect(client.getProduct('')).rejects.toMatchObject({ code: 'REQUEST_NOT_POSSIBLE' });
    await client.close();
    await client.close();
    await expect(client.sendRecords('postProducts', '[]')).rejects.toMatchObject({ code: 'REQUEST_NOT_POSSIBLE' });
    expect(server.requests).toHaveLength(0);
  });
});

/** Answers a read of a product with that product. */
const asProduct: Script = (response, { url }) =>
  response.end(JSON.stringify({ externalReference: url.split('/').at(-1) }));

describe('the load on the platform:', () => {
  it('at most the tenant’s number of calls run at once, and all are made', async () => {
    const held: (() => void)[] = [];
    const full = Promise.withResolvers<void>();
    server.script((response, request) => {
      if (request.url.startsWith('/v1/Orders')) return response.end('400');
      held.push(() => asProduct(response, request));
      return held.length === 3 ? full.resolve() : undefined;
    });
    const client = clientOf({ concurrency: 3 });
    const calls = Promise.all(Array.from({ length: 20 }, (_, n) => client.getProduct(String(n))));
    await full.promise;
    // Calls of another tenant run in the meantime, which gives a fourth call time to arrive if there were one.
    const other = clientOf();
    for (let n = 0; n < 10; n += 1) await other.getOrderStatus('7');
    expect(held).toHaveLength(3);

    server.script(asProduct);
    for (const release of held) release();
    expect((await calls).map(({ kind }) => kind)).toEqual(Array.from({ length: 20 }, () => 'found'));
  });

  it('a price takes the next slot before every product that waits for one', async () => {
    const held: ServerResponse[] = [];
    const urls: string[] = [];
    const first = Promise.withResolvers<void>();
    server.script((response, request) => {
      urls.push(request.url);
      held.push(response);
      if (held.length === 1) return first.resolve();
      return response.end('{}');
    });
    const client = clientOf({ concurrency: 1 });
    const products = Array.from({ length: 5 }, () => client.sendRecords('postProducts', '[]'));
    await first.promise;
    const price = client.sendRecords('postPrices', '[]', { urgent: true });
    held[0]?.end('{}');
    await Promise.all([...products, price]);
    expect(urls.indexOf('/v1/batch/Pricing')).toBe(1);
  });

  it('401 opens the circuit breaker at once: neither waiting nor later calls are made (rule 17)', async () => {
    server.script(answer(401));
    const client = clientOf({ concurrency: 1, now: () => 5_000, random: () => 0 });
    const told = { kind: 'unavailable', cause: 'credentials', retryAfterMs: 500 };
    const together = [
      client.sendRecords('postProducts', '[]'),
      client.sendRecords('postProducts', '[]'),
      client.getProduct('4711'),
    ];
    expect(await Promise.all<unknown>(together)).toEqual([told, told, told]);
    expect(await client.getOrderStatus('7')).toEqual(told);
    expect(server.requests).toHaveLength(1);
    expect(client.openUntil('postProducts')).toBe(5_500);
  });

  it('a call does not wait for a slot while the circuit breaker is open', async () => {
    let nowMs = 5_000;
    const held: ServerResponse[] = [];
    const heldAre = (count: number) => waitFor(() => held.length === count, { describe: `${count} calls that hang` });
    const hold = (response: ServerResponse) => void held.push(response);
    server.scripts(hold, answer(403), hold);
    const client = clientOf({ concurrency: 2, now: () => nowMs });
    const slow = client.getProduct('4711');
    await heldAre(1);
    await client.getProduct('4712');
    nowMs += 1_000;
    const trial = client.getProduct('4713');
    await heldAre(2);
    expect(await client.getProduct('4714')).toEqual({ kind: 'unavailable', cause: 'credentials', retryAfterMs: 1_000 });

    const [first, second] = held;
    first?.end('{"externalReference":"4711"}');
    second?.end('{"externalReference":"4713"}');
    expect([(await slow).kind, (await trial).kind]).toEqual(['found', 'found']);
    expect(server.requests).toHaveLength(3);
  });

  it('429 opens it for the time of Retry-After; then one trial call is made, and its success lets all through (rule 36)', async () => {
    let nowMs = 5_000;
    const client = clientOf({ now: () => nowMs });
    server.script(answer(429, '', { 'retry-after': '30' }));
    const throttled = { kind: 'unavailable', cause: 'throttled', retryAfterMs: 30_000 };
    expect(await client.sendRecords('postProducts', '[]')).toEqual(throttled);
    expect(await client.sendRecords('postProducts', '[]')).toEqual(throttled);
    expect(server.requests).toHaveLength(1);

    nowMs += 30_000;
    server.script(answer(200, JSON.stringify(GUID)));
    const kinds = await Promise.all(
      [1, 2, 3, 4].map(async () => (await client.sendRecords('postProducts', '[]')).kind),
    );
    expect(kinds.toSorted()).toEqual(['accepted', 'unavailable', 'unavailable', 'unavailable']);
    expect(server.requests).toHaveLength(2);
    expect(client.openUntil('getProduct')).toBeNull();
    expect((await client.sendRecords('postProducts', '[]')).kind).toBe('accepted');
  });

  it.each([
    ['answering 500', answer(500), 'server-error'],
    ['dropping calls', drop, 'dropped'],
    ['timing out', silence, 'timeout'],
  ])('five calls in a row that end in %s open it', async (_, script, cause) => {
    const client = clientOf({ timeoutMs: HELD_MS });
    server.script((response, request) => {
      script(response, request);
      if (script === silence) timeouts.timeOut();
    });
    for (let n = 0; n < 5; n += 1) {
      expect(client.openUntil('getProduct')).toBeNull();
      expect(await client.getProduct(`471${n}`)).toMatchObject({ kind: 'unavailable', cause });
    }
    expect(await client.getProduct('4711')).toMatchObject({ kind: 'unavailable', cause: 'paused' });
    expect(server.requests).toHaveLength(5);
  });

  it('one order whose calls all fail does not open it, on any routes (guarantee 5)', async () => {
    server.script(answer(500));
    const client = clientOf();
    for (let n = 0; n < 6; n += 1) {
      await client.getOrderStatus('7');
      await client.getWebhookPayload('7');
      await client.putOrder('7', '{}');
    }
    for (const route of ['getOrderStatus', 'getWebhookPayload', 'putOrder'] as const)
      expect(client.openUntil(route)).toBeNull();
    expect(server.requests).toHaveLength(18);
  });

  it('a batch of one record that always fails does not open it, batches of several do (guarantee 5)', async () => {
    server.script(answer(503));
    const client = clientOf();
    for (let n = 0; n < 6; n += 1) await client.sendRecords('postStock', '[{}]', { about: 'lane-7' });
    expect(client.openUntil('postStock')).toBeNull();
    for (let n = 0; n < 5; n += 1) await client.sendRecords('postPrices', '[{},{}]');
    expect(client.openUntil('postPrices')).not.toBeNull();
  });

  it('an outage of one route opens it for that route alone, though other routes are answered between (guarantee 5)', async () => {
    let nowMs = 5_000;
    server.script((response, { method }) => {
      response.statusCode = method === 'PATCH' ? 503 : 200;
      response.end('{"status":400}');
    });
    const client = clientOf({ now: () => nowMs });
    for (let n = 0; n < 5; n += 1) {
      expect((await client.patchOrderStatus(String(n), 'ORDER_BEING_PREPARED')).kind).toBe('unknown');
      expect((await client.getOrderStatus(String(n))).kind).toBe('found');
    }
    expect(await client.patchOrderStatus('9', 'ORDER_BEING_PREPARED')).toMatchObject({ cause: 'paused' });
    expect((await client.getOrderStatus('9')).kind).toBe('found');
    server.script(answer(200, '{}'));
    nowMs += 1_000;
    expect((await client.patchOrderStatus('9', 'ORDER_BEING_PREPARED')).kind).toBe('accepted');
    expect(client.openUntil('patchOrderStatus')).toBeNull();
  });

  it('a platform that accepts no connection opens it for all routes', async () => {
    const client = clientOf({ baseUrl: 'http://127.0.0.1:1' });
    for (let n = 0; n < 5; n += 1) {
      const answered = await client.getProduct(`471${n}`);
      expect(answered).toMatchObject({ kind: 'unavailable', cause: 'connection-refused' });
    }
    expect(await client.sendRecords('postStock', '[{}]')).toMatchObject({ kind: 'unavailable', cause: 'paused' });
  });

  it('500 of invoice registrations does not open it, however many orders are missing (rule 17)', async () => {
    server.script(answer(500));
    const client = clientOf();
    for (let n = 0; n < 6; n += 1) {
      expect(await client.putInvoiced(String(n), '{}')).toMatchObject({ kind: 'unknown', status: 500 });
    }
    expect(client.openUntil('putInvoiced')).toBeNull();
  });

  it('the core service refusing its key opens that of the core service alone (guarantee 5)', async () => {
    server.script((response, { url }) => {
      response.statusCode = url?.includes('/gateway/') ? 401 : 200;
      response.end('{"status":400}');
    });
    const client = clientOf({ coreApiKey: 'core-key' });
    const refused = { kind: 'unavailable', cause: 'credentials' };
    expect(await client.getOrderDetails('o-1')).toMatchObject(refused);
    expect(await client.getOrderDetails('o-2')).toMatchObject(refused);
    expect(server.requests).toHaveLength(1);
    expect((await client.getOrderStatus('7')).kind).toBe('found');
    expect(client.openUntil('getOrderStatus')).toBeNull();
    expect(client.openUntil('getOrderDetails')).not.toBeNull();
  });

  it('refusals do not open it: each concerns one record', async () => {
    server.script(answer(400));
    const client = clientOf();
    for (let n = 0; n < 6; n += 1) await client.sendRecords('postProducts', '[]');
    expect(client.openUntil('postProducts')).toBeNull();
    expect(server.requests).toHaveLength(6);
  });
});

describe('the core service', () => {
  it('gets its key and no other credential, and its answer stays as it is (rule 36)', async () => {
    server.script(answer(200, '{ "items": [ { "unitOfMeasure": 2.0 } ] }'));
    const found = await clientOf({ coreApiKey: 'core-key' }).getOrderDetails('o/1', { traceparent: TRACEPARENT });
    expect(found).toMatchObject({ kind: 'found', value: '{ "items": [ { "unitOfMeasure": 2.0 } ] }' });
    expect(server.requests).toMatchObject([
      { method: 'GET', url: '/v1/gateway/orders/o%2F1/details', headers: { 'x-api-key': 'core-key' } },
    ]);
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  it('is not called for a tenant without its key', async () => {
    await expect(clientOf().getOrderDetails('o-1')).rejects.toMatchObject({ code: 'CORE_KEY_MISSING' });
    expect(server.requests).toEqual([]);
  });
});

describe('the certificate of the platform', () => {
  it('is known until its end from a connection that trusts it, and unknown without TLS', async () => {
    const trusted = getCACertificates();
    const certificate = await makeTestCertificate(30);
    const platform = await TestServer.start((_request, response) => response.end('400'), certificate);
    const client = clientOf({ baseUrl: platform.url });
    try {
      expect(await client.getOrderStatus('7')).toMatchObject({ kind: 'unavailable' });
      expect(client.certificateExpiresAt()).toBeNull();
      setDefaultCACertificates([...trusted, certificate.pem]);
      const other = clientOf({ baseUrl: platform.url });
      expect(await other.getOrderStatus('7')).toMatchObject({ kind: 'found', value: 400 });
      expect(Math.abs(other.certificateExpiresAt()! - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS);
    } finally {
      setDefaultCACertificates(trusted);
      await platform.stop();
    }
    await clientOf().getOrderStatus('7');
    expect(clients.at(-1)!.certificateExpiresAt()).toBeNull();
  });
});

describe('the observer', () => {
  it('gets every call in one line without body, credential or reference', async () => {
    const heard: CallObservation[] = [];
    const client = clientOf({ observe: (call) => heard.push(call), now: () => 5_000 });
    server.scripts(answer(200, '{"number":100234,"email":"cliente.teste.01@example.com"}'), answer(403, 'segredo'));
    await client.getWebhookPayload('100234');
    await client.sendRecords('postProducts', '["segredo"]');
    await client.getProduct('4711');
    expect(heard).toEqual([
      { tenant: 'acme', route: 'getWebhookPayload', kind: 'found', cause: null, status: 200, ms: 0 },
      { tenant: 'acme', route: 'postProducts', kind: 'unavailable', cause: 'credentials', status: 403, ms: 0 },
      { tenant: 'acme', route: 'getProduct', kind: 'unavailable', cause: 'credentials', status: null, ms: 0 },
    ]);
  });

  it('cannot lose the answer of a call by throwing', async () => {
    server.script(answer(200, JSON.stringify(GUID)));
    const client = clientOf({
      observe: () => {
        throw new Error('no metrics today');
      },
    });
    expect(await client.sendRecords('postProducts', '[]')).toEqual({ kind: 'accepted', operationId: GUID });
  });
});
