import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { PAGE_FORMS } from '../src/faults/page-answer.ts';
import { POISONS } from '../src/faults/poison.ts';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Answer, type Merchant } from './support/shop.ts';

const BATCH = '^POST /v1/batch/Products$';
const PATCH = '^PATCH /v1/Orders/\\d+/status$';
const HOUR_MS = 3_600_000;
/** Longer than any test. */
const FOR_EVER_MS = 600_000;

function firstItem(envelope: { data: { [key: string]: unknown } } | undefined): Record<string, unknown> {
  const items = envelope?.data['items'];
  return Array.isArray(items) ? (items[0] as Record<string, unknown>) : {};
}

/** The platform as it really behaves: late, stale and evasive. */
describe('a fault of the world:', () => {
  let shop: Shop;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  afterEach(async () => {
    await shop.idle();
    await shop.admin('DELETE', '/faults');
  });
  afterAll(() => shop.close());

  function set(...faults: object[]): Promise<unknown> {
    return shop.admin('POST', '/faults', faults);
  }

  function get(merchant: Merchant, path: string): Promise<Answer> {
    return shop.call('GET', path, { headers: merchant.headers });
  }

  function patch({ headers }: Merchant, number: number, status: string): Promise<Answer> {
    return shop.call('PATCH', `/v1/Orders/${number}/status`, { body: { status }, headers });
  }

  function pick({ headers }: Merchant, number: number, quantity = 0.298): Promise<Answer> {
    const items = [{ skuExternalReference: '4711-1', quantity, unitOfMeasure: 'Kg', price: 39.9, total: 11.89 }];
    return shop.call('PUT', `/v1/Orders/${number}`, { body: { finalOrderPrice: 11.89, items }, headers });
  }

  /** Lets time pass at the shop. */
  function pass(ms: number): Promise<unknown> {
    return shop.admin('POST', '/clock', { advanceMs: ms });
  }

  async function history(number: number): Promise<number[]> {
    const order = (await shop.admin('GET', `/orders/${number}`)) as { statusHistory: { status: number }[] };
    return order.statusHistory.map(({ status }) => status);
  }

  async function waiting(): Promise<number> {
    return ((await shop.admin('GET', '/overview')) as { waitingOperations: number }).waitingOperations;
  }

  /** Makes a call that is carried out late, and leaves it unanswered; true if its connection was closed at once. */
  async function left(merchant: Merchant, number: number, status: string): Promise<boolean> {
    const signal = AbortSignal.timeout(300);
    const body = JSON.stringify({ status });
    const init = { method: 'PATCH', headers: { ...merchant.headers, 'content-type': 'application/json' }, body };
    const cause: unknown = await fetch(`${shop.url}/v1/Orders/${number}/status`, { ...init, signal }).then(
      () => 'an answer',
      (error: unknown) => error,
    );
    expect(cause).toBeInstanceOf(Error);
    return (cause as Error).name !== 'TimeoutError';
  }

  describe('late', () => {
    it('leaves a call without an answer, closed at once or open, and carries it out after newer ones', async () => {
      const merchant = await shop.stockedMerchant();
      const closed = new Set<boolean>();
      for (let seed = 1; closed.size < 2 || seed <= 4; seed += 1) {
        const { number } = await shop.buy(merchant);
        await set({ kind: 'late', route: PATCH, orderNumber: number, times: 1, ms: FOR_EVER_MS, seed });
        closed.add(await left(merchant, number, 'ORDER_BEING_PREPARED'));
        await waitFor(async () => (await waiting()) === 1, { describe: 'the late call' });
        await patch(merchant, number, 'SHIPPED');
        await waitFor(async () => (await history(number)).includes(600), { describe: 'the newer call' });
        expect(await history(number)).toEqual([100, 300, 600]);
        await pass(FOR_EVER_MS);
        await shop.idle();
        expect(await history(number)).toEqual([100, 300, 600, 400]);
      }
    });

    it('carries a call out within the window after its caller has gone', async () => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await set({ kind: 'late', route: PATCH, times: 1, ms: 400 });
      await left(merchant, number, 'ORDER_BEING_PREPARED');
      await shop.idle();
      expect(await history(number)).toEqual([100, 300, 400]);
      expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 400]);
    });

    it('outlives a restart', async () => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await set({ kind: 'late', route: PATCH, times: 1, ms: FOR_EVER_MS });
      await left(merchant, number, 'ORDER_BEING_PREPARED');
      await shop.stop();
      await shop.start();
      expect(await waiting()).toBe(1);
      expect(await history(number)).toEqual([100, 300]);
      await pass(2 * FOR_EVER_MS);
      await shop.idle();
      expect(await history(number)).toEqual([100, 300, 400]);
    });

    it.each([[['orders']], [['catalog']], [['files']], [undefined]])(
      'does not change what a reset of %j emptied',
      async (parts) => {
        const merchant = await shop.stockedMerchant();
        const { number } = await shop.buy(merchant);
        await set({ kind: 'late', route: PATCH, times: 1, ms: FOR_EVER_MS });
        await left(merchant, number, 'ORDER_BEING_PREPARED');
        await waitFor(async () => (await waiting()) === 1, { describe: 'the late call' });
        await shop.admin('POST', '/reset', parts && { parts });
        expect(await waiting()).toBe(0);
      },
    );

    it('carries a form out late with its file', async () => {
      const merchant = await shop.stockedMerchant();
      const { number, id } = await shop.buy(merchant);
      await set({ kind: 'late', route: '^POST /v1/Storages/invoice', times: 1, ms: 200, seed: 3 });
      const pdf = { content: '%PDF-1.4', type: 'application/pdf', name: 'nota.pdf' };
      await expect(
        shop.upload(merchant, `/v1/Storages/invoice/upload?orderId=${id}`, { files: [pdf] }),
      ).rejects.toThrow('fetch failed');
      await shop.idle();
      expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ invoiceFile: { fileName: 'nota.pdf' } });
    });
  });

  describe('lagging-reads', () => {
    it('shows an order as it was, with its dates of that time, and each version of its payload at its own age', async () => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      const payload = `/v1/Orders/${number}/webhook-payload`;
      const states = new Map<unknown, unknown>();
      const note = async (): Promise<void> => {
        const { updatedAt, status } = (await get(merchant, payload)).json as Record<string, unknown>;
        states.set(updatedAt, status);
      };
      await note();
      for (const status of ['ORDER_BEING_PREPARED', 'READY_FOR_PICKUP_OR_DELIVERY', 'SHIPPED', 'DELIVERED']) {
        await pass(60_000);
        await patch(merchant, number, status);
        await shop.idle();
        await note();
      }
      await pass(60_000);
      await set({ kind: 'lagging-reads', route: `/v1/Orders/${number}/`, ms: 300_000, seed: 5 });
      const ages = { v1: new Set<unknown>(), v2: new Set<unknown>(), status: new Set<unknown>() };
      for (let read = 0; read < 30; read += 1) {
        for (const [version, path] of [
          ['v1', payload],
          ['v2', `${payload}?version=2`],
        ] as const) {
          const { updatedAt, status } = (await get(merchant, path)).json as Record<string, unknown>;
          expect(states.get(updatedAt)).toBe(status);
          ages[version].add(status);
        }
        ages.status.add(((await get(merchant, `/v1/Orders/${number}/status`)).json as { status: number }).status);
      }
      for (const seen of Object.values(ages)) expect(seen.size).toBeGreaterThan(2);
      await shop.admin('DELETE', '/faults');
      expect((await get(merchant, payload)).json).toMatchObject({ status: 700 });
    });

    it('knows nothing of an order or a product that was not there yet', async () => {
      const merchant = await shop.stockedMerchant();
      await pass(HOUR_MS);
      await shop.load(merchant, [productItem({ externalReference: 'new', slug: 'new' })]);
      const { number } = await shop.buy(merchant);
      await shop.idle();
      await set({ kind: 'lagging-reads', ms: 500_000, times: 3, seed: 1 });
      for (const path of [
        `/v1/Orders/${number}/status`,
        `/v1/Orders/${number}/webhook-payload`,
        '/v1/batch/Products/new',
      ]) {
        expect((await get(merchant, path)).status).toBe(404);
      }
      expect((await get(merchant, '/v1/batch/Products/4711')).status).toBe(200);
    });

    it('shows a product as it was, with its dates of that time', async () => {
      const merchant = await shop.stockedMerchant();
      const before = (await get(merchant, '/v1/batch/Products/4711')).json as Record<string, unknown>;
      await pass(60_000);
      await shop.load(merchant, [{ externalReference: '4711', title: 'Outro título' }]);
      await shop.idle();
      await set({ kind: 'lagging-reads', route: '^GET /v1/batch/Products', ms: 55_000, times: 20, seed: 1 });
      const seen = new Set<unknown>();
      for (let read = 0; read < 20; read += 1) {
        const { title, updatedAt } = (await get(merchant, '/v1/batch/Products/4711')).json as Record<string, unknown>;
        expect(title === before['title']).toBe(updatedAt === before['updatedAt']);
        seen.add(title);
      }
      expect(seen.has(before['title'])).toBe(true);
    });

    it('lags behind no reset', async () => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await patch(merchant, number, 'SHIPPED');
      await shop.idle();
      await shop.admin('POST', '/reset', { parts: ['orders', 'catalog'] });
      await set({ kind: 'lagging-reads', ms: FOR_EVER_MS });
      expect((await get(merchant, `/v1/Orders/${number}/status`)).status).toBe(404);
      expect((await get(merchant, '/v1/batch/Products/4711')).status).toBe(404);
    });
  });

  describe('page', () => {
    it.each(PAGE_FORMS)('answers %s, and the call has no effect', async (form) => {
      const merchant = await shop.merchant();
      await set({ kind: 'page', route: BATCH, times: 1, form });
      const response = await fetch(`${shop.url}/v1/batch/Products`, {
        method: 'POST',
        redirect: 'manual',
        headers: { ...merchant.headers, 'content-type': 'application/json' },
        body: JSON.stringify([productItem()]),
      });
      expect(await response.text()).not.toMatch(/^"[0-9a-f-]{36}"$/);
      expect(response.status).toBeGreaterThanOrEqual(200);
      expect(response.status).toBeLessThan(400);
      expect(response.headers.has('location')).toBe(response.status >= 300);
      await shop.idle();
      expect((await get(merchant, '/v1/batch/Products/4711')).status).toBe(404);
    });

    it('chooses its form by the seed, and never an answer that may be the route’s own', async () => {
      const merchant = await shop.stockedMerchant();
      const read = async (path: string): Promise<string[]> => {
        await shop.admin('DELETE', '/faults');
        await set({ kind: 'page', seed: 9 });
        const texts: string[] = [];
        for (let call = 0; call < 60; call += 1) {
          const response = await fetch(`${shop.url}${path}`, { redirect: 'manual', headers: merchant.headers });
          texts.push(`${response.status} ${await response.text()}`);
        }
        return texts;
      };
      const first = await read('/v1/batch/Products/4711');
      expect(new Set(first).size).toBeGreaterThan(10);
      expect(first).toContain('200 []');
      expect(await read('/v1/batch/Products/4711')).toEqual(first);
      expect(await read('/v1/Storages/file/4711-1/1')).not.toContain('200 []');
    });
  });

  describe('reads-1300', () => {
    it('shows 1300 in status and payload after a recalculation, until the status changes', async () => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await set({ kind: 'reads-1300' });
      const paths = ['status', 'webhook-payload', 'webhook-payload?version=2'];
      const statuses = async (): Promise<unknown[]> => {
        const answers = await Promise.all(paths.map((path) => get(merchant, `/v1/Orders/${number}/${path}`)));
        return answers.map(({ json }) => (json as { status: unknown }).status);
      };
      expect(await statuses()).toEqual([300, 300, 300]);
      await pick(merchant, number);
      await shop.idle();
      expect(await statuses()).toEqual([1300, 1300, 1300]);
      expect(await history(number)).toEqual([100, 300]);
      await patch(merchant, number, 'ORDER_BEING_PREPARED');
      await shop.idle();
      expect(await statuses()).toEqual([400, 400, 400]);
    });
  });

  describe('status-as-text', () => {
    it('writes the status of an order as text in a notification, and as a number elsewhere', async () => {
      const merchant = await shop.stockedMerchant();
      await set({ kind: 'status-as-text', event: 'Order_Updated' });
      const { number } = await shop.buy(merchant);
      await shop.idle();
      expect(shop.envelopesOf(merchant, 'Order_Updated')).toMatchObject([{ data: { number, status: '300' } }]);
      expect((await get(merchant, `/v1/Orders/${number}/status`)).json).toEqual({ status: 300 });
    });

    it.each([
      ['status', { status: '300' }],
      ['code', { code: '300' }],
      ['data', { data: { status: '300' } }],
      ['number', '300'],
      ['name', 'PAYMENT_APPROVED'],
    ])('writes it as text in an answer, with statusAnswer %s', async (statusAnswer, answer) => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await set({ kind: 'status-as-text', route: '^GET ' });
      await shop.admin('POST', '/switches', { statusAnswer });
      expect((await get(merchant, `/v1/Orders/${number}/status`)).json).toEqual(answer);
      await shop.admin('POST', '/switches', { statusAnswer: 'status' });
      const payload = await get(merchant, `/v1/Orders/${number}/webhook-payload`);
      expect(payload.json).toMatchObject({ status: '300', paymentAttempts: [{ status: 1 }] });
    });
  });

  it('null-lists writes null for each list, in answers and notifications', async () => {
    const merchant = await shop.stockedMerchant();
    await set({ kind: 'null-lists' });
    const { number } = await shop.buy(merchant);
    await shop.idle();
    const nulls = { items: null, paymentAttempts: null, subtotal: { appliedPromotions: null, total: 12.45 } };
    expect(shop.envelopesOf(merchant, 'Order_Updated')).toMatchObject([{ data: { number, ...nulls } }]);
    expect((await get(merchant, `/v1/Orders/${number}/webhook-payload`)).json).toMatchObject({ number, ...nulls });
  });

  it('reopen puts an order back to its status before a PATCH, as often as counted, and notifies it', async () => {
    const merchant = await shop.stockedMerchant();
    const { number } = await shop.buy(merchant);
    await set({ kind: 'reopen', route: PATCH, times: 2, ms: 50 });
    for (const status of ['ORDER_BEING_PREPARED', 'READY_FOR_PICKUP_OR_DELIVERY', 'SHIPPED']) {
      await patch(merchant, number, status);
      await shop.idle();
    }
    expect(await history(number)).toEqual([100, 300, 400, 300, 500, 300, 600]);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 300, 300, 400, 500, 600]);
  });

  it('reopen leaves an order that was not paid or is over, and one that went on', async () => {
    const merchant = await shop.stockedMerchant();
    const refused = await shop.buy(merchant, { payment: 'refused' });
    const returned = await shop.buy(merchant);
    const gone = await shop.buy(merchant);
    await set({ kind: 'reopen', route: PATCH, ms: FOR_EVER_MS });
    await patch(merchant, refused.number, 'SHIPPED');
    await patch(merchant, returned.number, 'ORDER_RETURNED');
    await patch(merchant, gone.number, 'SHIPPED');
    await waitFor(async () => (await waiting()) === 1, { describe: 'the way back of one order' });
    await shop.admin('POST', `/orders/${gone.number}/status`, { status: 'DELIVERED' });
    await pass(FOR_EVER_MS);
    await shop.idle();
    expect(await history(refused.number)).toEqual([100, 250, 600]);
    expect(await history(returned.number)).toEqual([100, 300, 1000]);
    expect(await history(gone.number)).toEqual([100, 300, 600, 700]);
  });

  describe('webhook-poison', () => {
    it.each(POISONS)('poisons the named value with %s, and no other', async (poison) => {
      const merchant = await shop.stockedMerchant();
      const { number } = await shop.buy(merchant);
      await shop.idle();
      const [whole] = shop.envelopesOf(merchant, 'Order_Updated');
      await set({ kind: 'webhook-poison', event: 'Order_.*', path: 'data.items.0.reference', poison });
      await shop.admin('POST', `/orders/${number}/status`, { status: 'SHIPPED' });
      await shop.idle();
      const spoilt = shop.envelopesOf(merchant, 'Order_Updated')[1];
      const reference = firstItem(spoilt)['reference'];
      const item = firstItem(whole);
      expect(spoilt).toMatchObject({ data: { number, status: 600, items: [{ ...item, reference }] } });
      const text = String(reference);
      const shapes: Record<string, boolean> = {
        nul: text.includes('\u0000'),
        'half-surrogate': !text.isWellFormed(),
        long: text.length > 10_000,
        'wrong-type': typeof reference !== 'string',
      };
      expect(Object.keys(shapes).filter((shape) => shapes[shape])).toEqual([poison]);
    });

    it('chooses value and poison by the seed', async () => {
      const merchant = await shop.stockedMerchant();
      await set({ kind: 'webhook-poison', event: 'Order_.*', seed: 4 });
      for (let order = 0; order < 12; order += 1) await shop.buy(merchant);
      await shop.idle();
      const sent = (await shop.admin('GET', '/deliveries?order=newest&limit=12')) as { bodyBase64: string }[];
      const bodies = sent.map(({ bodyBase64 }) => Buffer.from(bodyBase64, 'base64').toString());
      expect(bodies.filter((body) => JSON.parse(body) !== undefined)).toHaveLength(12);
      expect(new Set(bodies.map((body) => body.length)).size).toBeGreaterThan(4);
    });
  });

  it.each([
    [[{ kind: 'page', form: 'cake' }], 'form'],
    [[{ kind: 'delay', form: 'html' }], 'takes no form'],
    [[{ kind: 'webhook-poison', poison: 'arsenic' }], 'poison'],
    [[{ kind: 'webhook-poison', route: 'x' }], 'takes no route'],
    [[{ kind: 'late', event: 'x' }], 'takes no event'],
  ])('a malformed one is a 400 that names the right form: %j', async (faults, hint) => {
    const { status, json } = await shop.call('POST', '/admin/faults', { body: faults });
    expect(status).toBe(400);
    expect((json as { error: { message: string } }).error.message).toContain(hint);
  });
});
