import { cp } from 'node:fs/promises';
import { temporaryFolder } from '@gondola/local-stack/testing/temporary-folder';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem, skuItem } from './support/catalog-items.ts';
import { type Answer, Merchant, Shop } from './support/shop.ts';
import { startApp } from './support/start-app.ts';

interface LoggedDelivery {
  seq: number;
  attempt: number;
  eventType: string;
  operationId: string;
  contractAccountId: string;
  answer: number | null;
  bodyBase64: string;
}

async function loggedOf(shop: Shop, { contractAccountId }: Merchant): Promise<LoggedDelivery[]> {
  const all = (await shop.admin('GET', '/deliveries?after=0')) as LoggedDelivery[];
  return all.filter((delivery) => delivery.contractAccountId === contractAccountId);
}

/** The answer when the core is idle and one notification is not delivered. */
async function busyWithOne(shop: Shop): Promise<Answer | undefined> {
  const busy = await shop.call('POST', '/admin/idle', { body: { timeoutMs: 0 } });
  return (busy.json as { waitingOperations: number }).waitingOperations === 0 ? busy : undefined;
}

describe('the webhook sender', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterEach(() => {
    shop.receiver.answering = () => 200;
  });
  afterAll(() => shop.close());

  const deliveriesOf = (merchant: Merchant) => loggedOf(shop, merchant);

  it('sends the authToken as registered, and no identifier of the delivery', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    const webhook = shop.receiver.received.find(
      ({ envelope }) => envelope.contractAccountId === merchant.contractAccountId,
    );
    expect(webhook?.headers).toMatchObject({
      authorization: 'a-token',
      'content-type': 'application/json; charset=utf-8',
    });
    expect(Object.keys(webhook?.headers ?? {}).toSorted()).toEqual([
      'authorization',
      'connection',
      'content-length',
      'content-type',
      'host',
    ]);
  });

  it('is an HTTP POST with the envelope as its JSON body', async () => {
    const merchant = await shop.merchant();
    const operationId = await shop.load(merchant, [productItem()]);
    await shop.idle();
    const [webhook] = shop.receiver.received.filter(({ envelope }) => envelope.operationId === operationId);
    expect(webhook?.method).toBe('POST');
    expect(Object.keys(JSON.parse(String(webhook?.bytes)) as object)).toEqual([
      'operationId',
      'contractAccountId',
      'relatedEntity',
      'eventType',
      'data',
    ]);
  });

  it.each([
    [{ authType: 'Bearer', authToken: 'one' }, 'one'],
    [{ authType: 'Basic', authToken: 'dXNlcjpwYXNz' }, 'dXNlcjpwYXNz'],
    [{}, undefined],
  ])('of a webhook registered with %j has the Authorization %j', async (auth, header) => {
    const merchant = new Merchant();
    const { contractAccountId, username, password, apiKey, headers } = merchant;
    await shop.admin('POST', '/tenants', { contractAccountId, username, password, apiKey });
    const registration = { originType: 1, originData: 'x', url: shop.receiver.url, ...auth };
    const body = { ...registration, eventTypes: ['ProductWithSKUs_Created'] };
    expect((await shop.call('POST', '/v1/Webhooks', { body, headers })).status).toBe(200);
    const operationId = await shop.load(merchant, [productItem()]);
    await shop.idle();
    const webhook = shop.receiver.received.find(({ envelope }) => envelope.operationId === operationId);
    expect(webhook?.headers.authorization).toBe(header);
  });

  it.each([201, 204, 299])('counts a %d as delivered', async (status) => {
    const merchant = await shop.merchant();
    shop.receiver.answering = () => status;
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    expect(await deliveriesOf(merchant)).toMatchObject([{ attempt: 1, answer: status }]);
  });

  it.each([
    [500, 500],
    [404, 404],
    [302, 302],
    [null, null],
  ])('makes three byte-identical attempts if the answer is %s, then a dead letter', async (answer, logged) => {
    const merchant = await shop.merchant();
    shop.receiver.answering = () => answer;
    const operationId = await shop.load(merchant, [productItem()]);
    await shop.idle();
    const attempts = await deliveriesOf(merchant);
    expect(attempts).toMatchObject([1, 2, 3].map((attempt) => ({ attempt, answer: logged, operationId })));
    const received = shop.receiver.received.filter(({ envelope }) => envelope.operationId === operationId);
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ bytes }) => bytes.toString('base64')))).toEqual(new Set([attempts[0]?.bodyBase64]));
    expect(await shop.admin('GET', '/dead-letters')).toContainEqual(
      expect.objectContaining({ operationId, eventType: 'ProductWithSKUs_Created', attempts: 3 }),
    );
  });

  it('stops after the first 2xx', async () => {
    const merchant = await shop.merchant();
    let calls = 0;
    shop.receiver.answering = () => (++calls < 2 ? 503 : 200);
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    expect((await deliveriesOf(merchant)).map(({ answer }) => answer)).toEqual([503, 200]);
  });

  it('drops events that are not subscribed: no delivery, no retry, no dead letter', async () => {
    const merchant = await shop.merchant(['ProductWithSKUs_Created']);
    await shop.load(merchant, [productItem({ skus: [skuItem()] })]);
    await shop.load(merchant, [{ externalReference: '4711', active: false }]);
    await shop.idle();
    await shop.buy(merchant);
    await shop.idle();
    expect((await deliveriesOf(merchant)).map(({ eventType }) => eventType)).toEqual(['ProductWithSKUs_Created']);
  });

  it('sends different notifications side by side', async () => {
    const merchant = await shop.merchant();
    const together = Promise.withResolvers<number>();
    let waiting = 0;
    // No delivery is answered before four have arrived.
    shop.receiver.answering = () => {
      if (++waiting === 4) together.resolve(200);
      return together.promise;
    };
    const items = [1, 2, 3, 4].map((n) => productItem({ externalReference: `p${n}`, slug: `s${n}` }));
    await shop.load(merchant, items);
    await shop.idle();
    expect((await deliveriesOf(merchant)).map(({ answer }) => answer)).toEqual([200, 200, 200, 200]);
  });

  it('sends nothing while it is paused', async () => {
    const merchant = await shop.merchant();
    expect(await shop.admin('POST', '/sender', { paused: true })).toEqual({ paused: true });
    await shop.load(merchant, [productItem()]);
    const busy = await waitFor(() => busyWithOne(shop), { describe: 'the notification to be on its way' });
    expect(busy).toMatchObject({ status: 504, json: { idle: false, pendingDeliveries: 1 } });
    expect(shop.envelopesOf(merchant)).toEqual([]);
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(1);
  });

  it('has logs that are read from the last seq on', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    const all = (await shop.admin('GET', '/deliveries')) as LoggedDelivery[];
    const last = all.at(-1)?.seq ?? 0;
    expect(all.map(({ seq }) => seq)).toEqual(all.map(({ seq }) => seq).toSorted((a, b) => a - b));
    expect(await shop.admin('GET', `/deliveries?after=${last}`)).toEqual([]);
    await shop.load(merchant, [{ externalReference: '4711' }]);
    await shop.idle();
    expect(await shop.admin('GET', `/deliveries?after=${last}`)).toMatchObject([
      { eventType: 'ProductWithSKUs_Updated' },
    ]);
  });

  it('posts any bytes once by send-raw, with the usual headers unless others are given', async () => {
    const merchant = await shop.merchant();
    const { contractAccountId } = merchant;
    const before = shop.receiver.received.length;
    const bodyBase64 = Buffer.from('not json').toString('base64');
    shop.receiver.answering = () => 418;
    expect(await shop.admin('POST', '/send-raw', { contractAccountId, bodyBase64 })).toEqual({ answer: 418 });
    await shop.admin('POST', '/send-raw', {
      contractAccountId,
      bodyBase64,
      headers: { Authorization: 'forged', 'X-A': 'b' },
    });
    await shop.admin('POST', '/send-raw', { contractAccountId, bodyBase64, headers: { authorization: null } });
    const [usual, forged, without] = shop.receiver.received.slice(before);
    expect(usual?.bytes.toString('utf8')).toBe('not json');
    expect(usual?.headers.authorization).toBe('a-token');
    expect(forged?.headers).toMatchObject({ authorization: 'forged', 'x-a': 'b' });
    expect(without?.headers).not.toHaveProperty('authorization');
  });

  it('finds every call with body and answer in the log of calls before the caller has the answer', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, '[{"externalReference":"x","punctuation":1.50}]');
    const answer = await shop.call('GET', '/admin/requests?after=0');
    expect(answer.text).toContain('"body":[{"externalReference":"x","punctuation":1.50}]');
    expect((answer.json as unknown[]).at(-1)).toMatchObject({
      seq: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      method: 'POST',
      path: '/v1/batch/Products',
      status: 200,
    });
    await shop.call('GET', '/v1/Orders/1/webhook-payload?version=2');
    const requests = (await shop.admin('GET', '/requests')) as Record<string, unknown>[];
    expect(requests.at(-1)).toMatchObject({
      path: '/v1/Orders/1/webhook-payload',
      query: 'version=2',
      status: 401,
      body: null,
    });
  });

  it('starts anew after a reset, without webhooks', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    expect((await shop.call('POST', '/admin/reset')).status).toBe(204);
    expect(await shop.admin('GET', '/deliveries')).toEqual([]);
    expect(await shop.admin('GET', '/requests')).toEqual([]);
    expect((await shop.call('GET', '/v1/Orders/1/status', { headers: merchant.headers })).status).toBe(401);
    const again = await shop.merchant();
    await shop.load(again, [productItem()]);
    await waitFor(() => shop.envelopesOf(again).length === 1, { describe: 'the notification after the reset' });
  });

  it.each([undefined, ['orders']])('goes on after a kill during a reset of %j', async (parts) => {
    const merchant = await shop.merchant();
    const answered = Promise.withResolvers<number>();
    shop.receiver.answering = () => answered.promise;
    await shop.load(merchant, [productItem()]);
    await waitFor(() => shop.envelopesOf(merchant).length === 1, { describe: 'the attempt that the reset waits for' });
    const reset = shop.admin('POST', '/reset', parts && { parts });
    await waitFor(() => shop.sandbox.sender.isHeld, { describe: 'the reset' });
    await shop.sandbox.store.synced();
    const folder = await temporaryFolder();
    // A kill at this time would leave this.
    await cp(shop.dataDir, folder.path, { recursive: true });
    answered.resolve(200);
    await reset;
    const other = await startApp({ DATA_DIR: folder.path, HTTP_PORT: '0', LOG_LEVEL: 'error' }, undefined);
    await waitFor(() => other.deliveries.pending === 0, { describe: 'the next attempt' });
    await other.stop();
    await folder[Symbol.asyncDispose]();
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
  });

  it('stays paused over the reset of a part, and not over that of everything', async () => {
    await shop.admin('POST', '/sender', { paused: true });
    await shop.admin('POST', '/reset', { parts: ['orders'] });
    expect(await shop.admin('GET', '/sender')).toEqual({ paused: true });
    await shop.admin('POST', '/reset');
    expect(await shop.admin('GET', '/sender')).toEqual({ paused: false });
  });
});

describe('the webhook sender, impatient', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open({ WEBHOOK_TIMEOUT_MS: '100' });
  });
  afterAll(() => shop.close());

  it('counts an answer that is late as a failed attempt', async () => {
    const merchant = await shop.merchant();
    const late = Promise.withResolvers<number>();
    shop.receiver.answering = () => late.promise;
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    late.resolve(200);
    expect((await loggedOf(shop, merchant)).map(({ answer }) => answer)).toEqual([null, null, null]);
  });
});
