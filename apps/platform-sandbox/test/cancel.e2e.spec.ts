import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Envelope } from './support/receiver.ts';
import { Shop, type Merchant } from './support/shop.ts';

/** Longer than any test: the order stays in 750 until `letMove`. */
const STAYS_MS = 600_000;
const DEFAULTS = { cancelOperationIds: 'one', cancellationMs: 0, refundsByItself: false };

describe('a POST of a cancellation', () => {
  let shop: Shop;
  let merchant: Merchant;

  beforeAll(async () => {
    shop = await Shop.open();
    merchant = await shop.stockedMerchant();
  });
  afterEach(async () => {
    await shop.admin('POST', '/switches', DEFAULTS);
  });
  afterAll(() => shop.close());

  async function order(...statuses: number[]): Promise<number> {
    const { number } = await shop.buy(merchant);
    for (const status of statuses) await shop.admin('POST', `/orders/${number}/status`, { status });
    return number;
  }

  async function cancel(number: number, body: unknown = { reason: 'Sem estoque' }): Promise<string> {
    return shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, body);
  }

  async function cancelled(number: number): Promise<string> {
    const operationId = await cancel(number);
    await shop.idle();
    return operationId;
  }

  function notifiedBy(operationId: string): Envelope[] {
    return shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId);
  }

  async function history(number: number): Promise<number[]> {
    const view = (await shop.admin('GET', `/orders/${number}`)) as { statusHistory: { status: number }[] };
    return view.statusHistory.map(({ status }) => status);
  }

  /** Waits until the core has begun the cancellation, however busy the machine is. */
  async function begun(number: number): Promise<void> {
    await waitFor(async () => (await history(number)).includes(750), { describe: `750 of order ${number}` });
  }

  /** Ends the time in 750 of all cancellations. */
  async function letMove(): Promise<void> {
    await shop.admin('POST', '/clock', { advanceMs: STAYS_MS });
    await shop.idle();
  }

  it('answers an operation id at once, and is notified as 750 and then 800 with that id', async () => {
    const number = await order(400);
    const operationId = await cancelled(number);
    expect(await history(number)).toEqual([100, 300, 400, 750, 800]);
    expect(notifiedBy(operationId)).toMatchObject([
      { eventType: 'Order_Updated', data: { number } },
      { eventType: 'Order_Updated', data: { number } },
    ]);
    const [first, second] = notifiedBy(operationId)
      .map(({ data }) => data)
      .toSorted((a, b) => Number(a.status) - Number(b.status));
    expect([first?.status, second?.status]).toEqual([750, 800]);
    expect(String(second?.updatedAt) > String(first?.updatedAt)).toBe(true);
  });

  it('has 800 under an operation id of its own if the switch is set', async () => {
    await shop.admin('POST', '/switches', { cancelOperationIds: 'two' });
    const number = await order();
    const operationId = await cancelled(number);
    expect(notifiedBy(operationId).map(({ data }) => data.status)).toEqual([750]);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 750, 800]);
  });

  it('leaves an order in 750 for the time of the switch, and the sandbox is not idle meanwhile', async () => {
    await shop.admin('POST', '/switches', { cancellationMs: STAYS_MS });
    const number = await order();
    await cancel(number);
    await begun(number);
    const busy = await shop.call('POST', '/admin/idle', { body: { timeoutMs: 0 } });
    expect(busy).toMatchObject({ status: 504, json: { idle: false, waitingOperations: 1 } });
    expect(await history(number)).toEqual([100, 300, 750]);
    await shop.admin('POST', '/switches', { cancellationMs: 150 });
    const other = await order();
    const startedAt = performance.now();
    await cancel(other);
    // The first order still waits for its 800, so the sandbox is not idle here.
    await waitFor(async () => (await history(other)).includes(800), { describe: `800 of order ${other}` });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(149);
    expect(await history(other)).toEqual([100, 300, 750, 800]);
    await shop.admin('POST', '/reset');
    merchant = await shop.stockedMerchant();
  });

  it('causes no 800 if the platform has moved the order from 750 meanwhile', async () => {
    await shop.admin('POST', '/switches', { cancellationMs: STAYS_MS });
    const number = await order();
    await cancel(number);
    await begun(number);
    await shop.admin('POST', `/orders/${number}/status`, { status: 400 });
    await letMove();
    expect(await history(number)).toEqual([100, 300, 750, 400]);
  });

  it('is followed by no refund unless the switch is set: then by 1100 and 1200, as is a return', async () => {
    await shop.admin('POST', '/switches', { refundsByItself: true });
    const number = await order();
    await cancelled(number);
    expect(await history(number)).toEqual([100, 300, 750, 800, 1100, 1200]);
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 750, 800, 1100, 1200]);
    const returned = await order(700);
    await shop.accepted(merchant, 'PATCH', `/v1/Orders/${returned}/status`, { status: 'ORDER_RETURNED' });
    await shop.idle();
    expect(await history(returned)).toEqual([100, 300, 700, 1000, 1100, 1200]);
  });

  it.each([300, 350, 400, 500])('is accepted in status %d, as canBeCancelled shows', async (status) => {
    const number = await order(status);
    expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ canBeCancelled: true });
    await cancelled(number);
    expect((await history(number)).at(-1)).toBe(800);
  });

  it.each([250, 600, 700, 750, 800, 900, 1000, 1100, 1200])(
    'is refused in status %d as Order_CancelFailed, the error in the envelope',
    async (status) => {
      const number = await order(status);
      expect(await shop.admin('GET', `/orders/${number}`)).toMatchObject({ canBeCancelled: false });
      const operationId = await cancelled(number);
      expect(notifiedBy(operationId)).toMatchObject([
        {
          relatedEntity: 'Order',
          eventType: 'Order_CancelFailed',
          data: { number, status },
          error: { statusCode: 409, detail: expect.any(String), validationErrors: [] },
        },
      ]);
      expect((await history(number)).at(-1)).toBe(status);
    },
  );

  it('of a missing order, or another merchant’s, is refused as Order_CancelFailed', async () => {
    const other = await shop.merchant();
    const number = await order();
    const operationId = await cancelled(42);
    await shop.accepted(other, 'POST', `/v1/Orders/${number}/cancel`, {});
    await shop.idle();
    expect(notifiedBy(operationId)).toMatchObject([{ eventType: 'Order_CancelFailed', error: { statusCode: 404 } }]);
    expect(shop.envelopesOf(other)).toMatchObject([{ eventType: 'Order_CancelFailed', data: { id: null } }]);
    expect((await history(number)).at(-1)).toBe(300);
  });

  it.each([[undefined], [{}], [{ reason: null }], ['"text"']])('accepts any JSON body, or none: %j', async (body) => {
    const number = await order();
    await cancel(number, body);
    await shop.idle();
    expect((await history(number)).at(-1)).toBe(800);
  });

  it('with an invalid order number, or a body that is not JSON, is a 400', async () => {
    const { headers } = merchant;
    expect((await shop.call('POST', '/v1/Orders/x/cancel', { body: {}, headers })).status).toBe(400);
    expect((await shop.call('POST', '/v1/Orders/1/cancel', { body: '{', headers })).status).toBe(400);
  });

  it('is refused on demand', async () => {
    const number = await order();
    await shop.admin('POST', '/faults', [{ route: '/cancel$', kind: 'refuse', times: 1 }]);
    expect(notifiedBy(await cancelled(number))).toMatchObject([
      { eventType: 'Order_CancelFailed', data: { number, status: 300 }, error: { statusCode: 400 } },
    ]);
  });

  it('survives a restart between 750 and 800', async () => {
    await shop.admin('POST', '/switches', { cancellationMs: STAYS_MS });
    const number = await order();
    await cancel(number);
    await begun(number);
    await shop.stop();
    await shop.start();
    expect(await shop.admin('GET', '/switches')).toMatchObject({ cancellationMs: STAYS_MS });
    expect(await history(number)).toEqual([100, 300, 750]);
    await letMove();
    expect(await history(number)).toEqual([100, 300, 750, 800]);
    // A stop may leave an attempt without its answer, and its notification then arrives again.
    expect([...new Set(shop.notifiedStatuses(merchant, number))]).toEqual([300, 750, 800]);
  });

  it('is notified as 750 and 800 although the webhook of 300 is delayed', async () => {
    const delayMs = 500;
    await shop.admin('POST', '/faults', [{ event: 'Order_Updated 300', kind: 'webhook-delay', ms: delayMs, times: 1 }]);
    const startedAt = performance.now();
    const arrivals = new Map<unknown, number>();
    shop.receiver.answering = ({ envelope: { data } }) => {
      arrivals.set(data.status, performance.now() - startedAt);
      return 200;
    };
    const number = await order();
    await cancelled(number);
    shop.receiver.answering = () => 200;
    expect(shop.notifiedStatuses(merchant, number)).toEqual([300, 750, 800]);
    expect(arrivals.get(300)).toBeGreaterThanOrEqual(delayMs);
  });

  it.each([{ cancellationMs: -1 }, { cancelOperationIds: 'three' }, { nothing: true }])(
    'has switches, and an invalid one is a 400: %j',
    async (body) => {
      expect((await shop.call('POST', '/admin/switches', { body })).status).toBe(400);
    },
  );
});
