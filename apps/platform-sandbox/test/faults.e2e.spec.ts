import { ANSWER_LIMIT_MS } from '@gondola/local-stack/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Operation } from '../src/core/operation.ts';
import { entriesIn } from '../src/store/journal.adapter.ts';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const BATCH = '^POST /v1/batch/Products$';

describe('a fault on demand:', () => {
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

  function batch(merchant: Merchant, item: unknown = productItem()): ReturnType<Shop['call']> {
    return shop.call('POST', '/v1/batch/Products', { body: [item], headers: merchant.headers });
  }

  async function strokes(): Promise<number[]> {
    return ((await shop.admin('GET', '/faults')) as { struck: number }[]).map(({ struck }) => struck);
  }

  async function exists(merchant: Merchant): Promise<boolean> {
    return (await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers })).status === 200;
  }

  async function lastCall(): Promise<Record<string, unknown> | undefined> {
    const requests = (await shop.admin('GET', '/requests')) as Record<string, unknown>[];
    return requests.at(-1);
  }

  it('error-before answers 500 and the call has no effect, exactly as often as counted', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'error-before', times: 2 }]);
    expect((await batch(merchant)).status).toBe(500);
    expect((await batch(merchant)).status).toBe(500);
    await shop.idle();
    expect(await exists(merchant)).toBe(false);
    expect((await batch(merchant)).status).toBe(200);
  });

  it('a counted fault strikes exactly as often as counted, also for simultaneous calls', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'error-before', times: 3 }]);
    const answers = await Promise.all(Array.from({ length: 30 }, () => batch(merchant)));
    expect(answers.filter(({ status }) => status === 500)).toHaveLength(3);
  });

  it('error-after executes the call and answers another status', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'error-after', status: 503, times: 1 }]);
    expect(await batch(merchant)).toMatchObject({ status: 503, json: { error: { code: 'FAULT' } } });
    await shop.idle();
    expect(await exists(merchant)).toBe(true);
  });

  it.each(['error-after', 'drop-after'])('%s ends the call only when its work would survive a kill', async (kind) => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind, times: 1 }]);
    // Takes longer to write than to answer.
    const item = productItem({ externalReference: kind, fieldOfTheErp: 'x'.repeat(8_000_000) });
    await batch(merchant, item).catch(() => undefined);
    const stored = (await entriesIn(shop.dataDir)).filter(([table]) => table === 'operations');
    const payloads = stored.map(([, , row]) => (row as Operation).payload);
    expect(payloads.filter((payload) => payload.includes(`"externalReference":"${kind}"`))).toHaveLength(1);
  });

  it.each([
    ['drop-before', false],
    ['drop-after', true],
  ])('%s closes the connection without an answer; the call is executed: %s', async (kind, done) => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind, times: 1 }]);
    await expect(batch(merchant)).rejects.toThrow('fetch failed');
    expect(await lastCall()).toMatchObject({ path: '/v1/batch/Products', status: null });
    await shop.idle();
    expect(await exists(merchant)).toBe(done);
  });

  it('delay delays the call', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'delay', ms: 150, times: 1 }]);
    const begun = performance.now();
    expect((await batch(merchant)).status).toBe(200);
    expect(performance.now() - begun).toBeGreaterThanOrEqual(149);
  });

  it('refuse makes the core refuse an asynchronous call with that status', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'refuse', status: 422, times: 1 }]);
    expect((await batch(merchant)).status).toBe(200);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toMatchObject([
      { eventType: 'ProductWithSKUs_CreationFailed', data: { product: { error: { statusCode: 422 } } } },
    ]);
  });

  it('refuse answers a synchronous call with that status', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: '^GET /v1/batch/Products/', kind: 'refuse', status: 409, times: 1 }]);
    const { status } = await shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers });
    expect(status).toBe(409);
  });

  it('refuse makes the core refuse a status PATCH', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: '^PATCH ', kind: 'refuse', times: 1 }]);
    await shop.call('PATCH', '/v1/Orders/7/status', { body: { status: 'SHIPPED' }, headers: merchant.headers });
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toMatchObject([
      { eventType: 'Order_StatusUpdateFailed', error: { statusCode: 400 } },
    ]);
  });

  it.each([{ kind: 'core-silent' }, { kind: 'refuse', status: 500 }])(
    '%j: the call is accepted, and has neither effect nor notification',
    async (fault) => {
      const merchant = await shop.merchant();
      await shop.admin('POST', '/faults', [{ route: BATCH, times: 1, ...fault }]);
      expect((await batch(merchant)).status).toBe(200);
      await shop.idle();
      expect(await exists(merchant)).toBe(false);
      expect(shop.envelopesOf(merchant)).toEqual([]);
    },
  );

  it('outcome-first lets the notification arrive before the answer', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'outcome-first', ms: ANSWER_LIMIT_MS, times: 1 }]);
    const answer = await batch(merchant);
    expect(shop.envelopesOf(merchant)).toMatchObject([{ operationId: answer.json }]);
  });

  it('webhook-lose loses the notification, with no attempt and no dead letter', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ event: 'ProductWithSKUs_Created', kind: 'webhook-lose', times: 1 }]);
    const { json: operationId } = await batch(merchant);
    await shop.idle();
    expect(await exists(merchant)).toBe(true);
    expect(shop.envelopesOf(merchant)).toEqual([]);
    expect(await shop.admin('GET', '/dead-letters')).not.toContainEqual(expect.objectContaining({ operationId }));
  });

  it('webhook-double delivers the same bytes twice', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ kind: 'webhook-double', times: 1 }]);
    const { json: operationId } = await batch(merchant);
    await shop.idle();
    const twice = shop.receiver.received.filter(({ envelope }) => envelope.operationId === operationId);
    expect(twice).toHaveLength(2);
    expect(twice[0]?.bytes.equals(twice[1]?.bytes ?? Buffer.alloc(0))).toBe(true);
  });

  it('webhook-delay delays the notification, and the sandbox is not idle meanwhile', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ event: '.*_Created', kind: 'webhook-delay', ms: 200, times: 1 }]);
    const begun = performance.now();
    await batch(merchant);
    await shop.idle();
    expect(performance.now() - begun).toBeGreaterThanOrEqual(190);
    expect(shop.envelopesOf(merchant)).toHaveLength(1);
  });

  it('webhook-shuffle changes the order of notifications', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ kind: 'webhook-shuffle', ms: 300, seed: 7 }]);
    const references = Array.from({ length: 12 }, (_, n) => `p${n}`);
    await shop.load(
      merchant,
      references.map((reference) => productItem({ externalReference: reference, slug: reference })),
    );
    await shop.idle();
    const arrived = shop
      .envelopesOf(merchant)
      .map(({ data }) => (data.product as { externalReference: string }).externalReference);
    expect(new Set(arrived)).toEqual(new Set(references));
    expect(arrived).not.toEqual(references);
  });

  it('a call with wrong credentials does not count', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'error-before', times: 1 }]);
    expect((await shop.call('POST', '/v1/batch/Products', { body: [] })).status).toBe(401);
    expect((await batch(merchant)).status).toBe(500);
  });

  it('a counted fault keeps its count over a restart', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ route: BATCH, kind: 'error-before', times: 2 }]);
    expect((await batch(merchant)).status).toBe(500);
    await shop.stop();
    await shop.start();
    expect((await batch(merchant)).status).toBe(500);
    expect((await batch(merchant)).status).toBe(200);
  });

  it('many faults with shares count simultaneous calls, and none of these calls fails', async () => {
    const merchant = await shop.merchant();
    const faults = Array.from({ length: 20 }, (_, seed) => ({
      kind: 'extra-fields',
      route: '^GET ',
      share: 0.5,
      seed,
    }));
    await shop.admin('POST', '/faults', faults);
    const read = () => shop.call('GET', '/v1/batch/Products/4711', { headers: merchant.headers });
    const statuses = new Set<number>();
    for (let round = 0; round < 20; round += 1) {
      const answers = await Promise.all(Array.from({ length: 40 }, read));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses]).toEqual([404]);
    const counts = (await shop.admin('GET', '/faults')) as { matched: number }[];
    expect(new Set(counts.map(({ matched }) => matched))).toEqual(new Set([800]));
  });

  it('a fault of calls and notifications is counted for each of them', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/faults', [{ kind: 'extra-fields', share: 0.5 }]);
    for (const _call of [1, 2]) expect((await batch(merchant)).status).toBe(200);
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
    expect(await shop.admin('GET', '/faults')).toMatchObject([
      { fault: { kind: 'extra-fields', route: '.*', share: 0.5 }, matched: 2 },
      { fault: { kind: 'extra-fields', event: '.*', share: 0.5 }, matched: 2 },
    ]);
  });

  it('the admin API shows how often each fault struck, and a share continues after a restart', async () => {
    const merchant = await shop.merchant();
    const faults = [
      { route: BATCH, kind: 'error-before', times: 1 },
      { route: BATCH, kind: 'drop-before', share: 0 },
      { route: BATCH, kind: 'extra-fields', share: 1 },
    ];
    const added = (await shop.admin('POST', '/faults', faults)) as object[];
    await Promise.all([1, 2, 3].map(() => batch(merchant)));
    await shop.stop();
    await shop.start();
    expect((await batch(merchant)).status).toBe(200);
    // The call that is answered 500 has no fields to add to.
    const counts = [
      { matched: 4, struck: 1 },
      { matched: 4, struck: 0 },
      { matched: 4, struck: 3 },
    ];
    expect(await shop.admin('GET', '/faults')).toEqual(counts.map((count, index) => ({ ...added[index], ...count })));
  });

  describe('that has no effect is not counted as struck:', () => {
    const PATHS = [
      ['/v1/batch/Products', productItem],
      ['/v1/batch/Pricing', (item: object) => ({ price: 1, ...item })],
    ] as const;

    it.each(PATHS)('two aimed at two items of one batch to %s refuse one each', async (path, item) => {
      const merchant = await shop.merchant();
      const references = ['a', 'b', 'c'];
      await shop.admin(
        'POST',
        '/faults',
        ['a', 'b'].map((product) => ({ route: path, kind: 'refuse', product, times: 1 })),
      );
      const items = references.map((reference) => item({ externalReference: reference, slug: reference }));
      await shop.call('POST', path, { body: items, headers: merchant.headers });
      await shop.idle();
      const refused = shop.envelopesOf(merchant).filter(({ eventType }) => eventType?.endsWith('Failed'));
      expect(
        refused.map((envelope) => JSON.stringify(envelope.data)).filter((text) => /"[ab]"/.test(text)),
      ).toHaveLength(2);
      expect(refused).toHaveLength(2);
      expect(await strokes()).toEqual([1, 1]);
    });

    it('two of all items are used up by one batch each', async () => {
      const merchant = await shop.merchant();
      const refuse = { route: BATCH, kind: 'refuse', times: 1 };
      await shop.admin('POST', '/faults', [refuse, refuse]);
      for (const counts of [
        [1, 0],
        [1, 1],
      ]) {
        await shop.load(merchant, [productItem(), productItem({ externalReference: 'b', slug: 'b' })]);
        expect(await strokes()).toEqual(counts);
      }
      await shop.idle();
      expect(shop.envelopesOf(merchant, 'ProductWithSKUs_CreationFailed')).toHaveLength(4);
    });

    it('of calls that the route refuses', async () => {
      const merchant = await shop.merchant();
      await shop.admin('POST', '/faults', [
        { kind: 'error-after', times: 1 },
        { kind: 'delay', ms: 1, times: 1 },
        { kind: 'core-silent', times: 1 },
      ]);
      expect((await shop.call('POST', '/v1/batch/Brands', { body: '{', headers: merchant.headers })).status).toBe(400);
      expect(await strokes()).toEqual([0, 1, 0]);
    });

    it('of calls that it cannot affect, which do not match either', async () => {
      const merchant = await shop.merchant();
      await shop.admin(
        'POST',
        '/faults',
        ['core-silent', 'outcome-first', 'reopen', 'lagging-reads', 'reads-1300'].map((kind) => ({ kind, times: 1 })),
      );
      await shop.call('GET', '/v1/Storages/invoice?orderNumber=1', { headers: merchant.headers });
      const counts = (await shop.admin('GET', '/faults')) as { matched: number; struck: number }[];
      expect(counts).toHaveLength(5);
      expect(counts.map(({ matched, struck }) => [matched, struck])).toEqual(counts.map(() => [0, 0]));
    });
  });
});
