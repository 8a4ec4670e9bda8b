import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const BATCH = '^POST /v1/batch/Products$';
const FOR_EVER_MS = 600_000;

describe('a fault of the gateway or of payloads:', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterEach(async () => {
    // A notification of one test must not be one that a fault of the next test counts.
    await shop.idle();
    await shop.admin('DELETE', '/faults');
  });
  afterAll(() => shop.close());

  function set(...faults: object[]): Promise<unknown> {
    return shop.admin('POST', '/faults', faults);
  }

  function batch(merchant: Merchant, item: unknown = productItem()): ReturnType<Shop['call']> {
    return shop.call('POST', '/v1/batch/Products', { body: [item], headers: merchant.headers });
  }

  function read(merchant: Merchant, reference = '4711'): ReturnType<Shop['call']> {
    return shop.call('GET', `/v1/batch/Products/${reference}`, { headers: merchant.headers });
  }

  it.each([
    [{}, 401],
    [{ status: 403 }, 403],
  ])('credentials-expired %j answers %d to valid credentials, and the call has no effect', async (fault, status) => {
    const merchant = await shop.merchant();
    await set({ kind: 'credentials-expired', route: BATCH, times: 2, ...fault });
    for (const _ of [1, 2]) {
      expect(await batch(merchant)).toMatchObject({ status, json: { error: { code: 'CREDENTIALS_EXPIRED' } } });
    }
    await shop.idle();
    expect((await read(merchant)).status).toBe(404);
    expect((await batch(merchant)).status).toBe(200);
  });

  it('too-many-requests answers 429 with Retry-After in seconds, and the call has no effect', async () => {
    const merchant = await shop.merchant();
    await set({ kind: 'too-many-requests', route: BATCH, times: 1, retryAfter: 7 });
    const answer = await batch(merchant);
    expect(answer).toMatchObject({ status: 429, json: { error: { code: 'TOO_MANY_REQUESTS' } } });
    expect(answer.headers.get('retry-after')).toBe('7');
    await shop.idle();
    expect((await read(merchant)).status).toBe(404);
    expect((await batch(merchant)).status).toBe(200);
  });

  it('a timed fault strikes for its milliseconds', async () => {
    const merchant = await shop.merchant();
    const begun = performance.now();
    await set({ kind: 'credentials-expired', ms: 400 });
    const deadline = begun + 60_000;
    const statuses = new Set<number>();
    while (!statuses.has(404) && performance.now() < deadline) statuses.add((await read(merchant)).status);
    expect(statuses.has(404)).toBe(true);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(399);
    await set({ kind: 'credentials-expired', ms: FOR_EVER_MS });
    expect((await read(merchant)).status).toBe(401);
  });

  it('a share strikes that part of the calls, and the same ones for the same seed', async () => {
    const merchant = await shop.merchant();
    const hits = async (): Promise<number[]> => {
      await shop.admin('DELETE', '/faults');
      await set({ kind: 'error-before', route: '^GET ', share: 0.5, seed: 11 });
      const statuses: number[] = [];
      for (let call = 0; call < 30; call += 1) statuses.push((await read(merchant)).status);
      return statuses;
    };
    const first = await hits();
    expect(new Set(first)).toEqual(new Set([404, 500]));
    expect(await hits()).toEqual(first);
  });

  it('webhook-corrupt delivers a prefix of the bytes, which is not JSON', async () => {
    const merchant = await shop.merchant();
    await set({ kind: 'webhook-corrupt', event: 'ProductWithSKUs_Created', times: 1, seed: 3 });
    const { json: operationId } = await batch(merchant);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toEqual([]);
    const deliveries = (await shop.admin('GET', '/deliveries')) as { operationId: string; bodyBase64: string }[];
    const sent = deliveries.filter((delivery) => delivery.operationId === operationId);
    expect(sent).toHaveLength(1);
    const text = Buffer.from(sent[0]?.bodyBase64 ?? '', 'base64').toString();
    expect(text).toMatch(/^\{/);
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect((await read(merchant)).status).toBe(200);
  });

  it('extra-fields by event adds an unknown field to every object of a notification, and unknown codes', async () => {
    const merchant = await shop.stockedMerchant();
    await set({ kind: 'extra-fields', event: 'Order_Updated 300' });
    const { number } = await shop.buy(merchant);
    await shop.idle();
    const [notified] = shop.envelopesOf(merchant, 'Order_Updated');
    expect(notified).toMatchObject({
      addedLater: {},
      data: { number, status: 300, origin: 99, addedLater: {}, items: [{ addedLater: {} }], user: { addedLater: {} } },
    });
    const payload = await shop.call('GET', `/v1/Orders/${number}/webhook-payload`, { headers: merchant.headers });
    expect(payload.json).toMatchObject({ origin: 2 });
    expect(payload.json).not.toHaveProperty('addedLater');
  });

  it('extra-fields by route adds them to objects in answers, and changes nothing else', async () => {
    const merchant = await shop.merchant();
    await set({ kind: 'extra-fields', route: '^(GET|POST) /v1/batch' });
    expect((await batch(merchant)).text).toMatch(/^"[0-9a-f-]{36}"$/);
    await shop.idle();
    expect((await read(merchant)).json).toMatchObject({ externalReference: '4711', punctuation: 10, addedLater: {} });
    expect(shop.envelopesOf(merchant)[0]).not.toHaveProperty('addedLater');
  });

  it.each([
    [[{ kind: 'explode' }], 'webhook-corrupt'],
    [[{}], 'kind must be one of'],
    [{ kind: 'delay' }, 'list of faults'],
    [[{ kind: 'delay', route: '(' }], 'regular expression'],
    [[{ kind: 'delay', event: 'x' }], 'takes no event'],
    [[{ kind: 'webhook-lose', route: 'x' }], 'takes no route'],
    [[{ kind: 'refuse', retryAfter: 1 }], 'takes no retryAfter'],
    [[{ kind: 'credentials-expired', status: 500 }], '401 or 403'],
    [[{ kind: 'refuse', share: 2 }], 'share'],
    [[{ kind: 'refuse', times: 0 }], 'times'],
  ])('a malformed one is a 400 that names the right form: %j', async (faults, hint) => {
    const { status, json } = await shop.call('POST', '/admin/faults', { body: faults });
    expect(status).toBe(400);
    expect((json as { error: { message: string } }).error.message).toContain(hint);
  });

  it('one malformed entry rejects its whole list', async () => {
    const merchant = await shop.merchant();
    const list = [{ kind: 'error-before' }, { kind: 'explode' }];
    const { status, json } = await shop.call('POST', '/admin/faults', { body: list });
    expect(status).toBe(400);
    expect((json as { error: { message: string } }).error.message).toContain('[1]');
    expect((await read(merchant)).status).toBe(404);
  });
});
