import { afterEach, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const at = (minute: number): string => `2026-11-20T10:${String(minute).padStart(2, '0')}:00`;
const dataOf = (number: number, status: number, minute: number): string =>
  orderData({ number, status, updatedAt: at(minute) });

describe('reads of a platform whose stores are behind', () => {
  let app: OrderApp;

  afterEach(() => app.stop());

  const shows = (data: string, change: object = {}): void => {
    app.platform.on.payload = () => ({ status: 200, json: { ...(JSON.parse(data) as object), ...change } });
  };

  it('set back neither a cancellation nor its hold (rules 9, 18)', async () => {
    app = await OrderApp.start('behind-cancelled', { cancelReadMs: 100 });
    const prepared = orderData({ number: 420_001, status: 400, updatedAt: at(16) });
    app.platform.on.read = () => ({ status: 200, json: 400 });
    shows(prepared);
    await app.notify({ data: orderData({ number: 420_001, status: 300, updatedAt: at(15) }) }, { data: prepared });
    await app.notify({ data: orderData({ number: 420_001, status: 750, updatedAt: at(17) }) });
    await app.until(() => app.platform.callsOf(420_001, 'read').length >= 1);
    await app.command({ commandId: 'refresh-1', command: 'RefreshOrder', orderNumber: 420_001 });
    expect((await app.resultOf('refresh-1')).value).toMatchObject({
      outcome: 'applied',
      data: { status: { code: 750 } },
    });
    expect(app.events(420_001).map(({ value }) => value)).toMatchObject([
      { type: 'OrderApproved' },
      { type: 'CancellationStarted', hold: true },
    ]);
  });

  it('show no old price to an invoice (rules 14, 18)', async () => {
    app = await OrderApp.start('behind-price');
    const about = { number: 420_002, status: 400 };
    const before = orderData({ ...about, updatedAt: at(16), total: '12.450' });
    await app.notify({ data: orderData({ ...about, status: 300, updatedAt: at(15) }) }, { data: before });
    await app.notify({ data: orderData({ ...about, status: 1300, updatedAt: at(17), total: '11.800' }) });
    await app.stored(420_002, 3);
    shows(before);
    app.platform.on.read = () => ({ status: 200, json: 400 });
    await app.command({ commandId: 'refresh-2', command: 'RefreshOrder', orderNumber: 420_002 });
    await app.resultOf('refresh-2');
    const invoice = { command: 'RegisterInvoice', number: '1', issuedAt: '2026-11-20T14:00:00Z', value: '11.80' };
    await app.command({ commandId: 'invoice-2', orderNumber: 420_002, ...invoice });
    await app.until(() => app.platform.callsOf(420_002, 'register').length === 1);
    expect(app.events(420_002).at(-1)!.value).toMatchObject({ order: { totals: { total: '11.80' } } });
  });

  it('that answer 1300 make one event, and are made ever more rarely (rules 5, 7)', async () => {
    app = await OrderApp.start('behind-1300', {
      tenant: { recovery: { callsPerMinute: 6_000, quietMs: 50, quietMaxMs: 60_000, scanEveryMs: null } },
    });
    app.platform.on.read = () => ({ status: 200, json: 1300 });
    shows(orderData({ number: 420_003, status: 1300, updatedAt: at(16), total: '11.800' }));
    await app.notify({ data: orderData({ number: 420_003, status: 300, updatedAt: at(15) }) });
    expect((await app.eventsOf(420_003, 2))[1]!.value).toMatchObject({
      type: 'ItemsRecalculated',
      status: { code: 300 },
      cause: { kind: 'recovered' },
      order: { updatedAt: `${at(16)}-03:00`, totals: { total: '11.80' } },
    });
    await app.until(() => app.platform.callsOf(420_003, 'payload').length >= 6);
    expect(app.events(420_003)).toHaveLength(2);
  });

  it('show a reopened order by their date, whatever way it is heard of, and it goes on (rules 9, 10)', async () => {
    app = await OrderApp.start('behind-reopened');
    for (const number of [420_031, 420_032]) {
      await app.notify({ data: dataOf(number, 300, 15) });
      await app.eventsOf(number, 1);
      await app.notify({ data: dataOf(number, 800, 16) });
      await app.eventsOf(number, 2);
    }
    await app.notify({ data: dataOf(420_031, 300, 17) });
    shows(dataOf(420_032, 300, 17));
    app.platform.on.read = () => ({ status: 200, json: 300 });
    await app.command({ commandId: 'refresh-32', command: 'RefreshOrder', orderNumber: 420_032 });
    for (const [number, kind] of [
      [420_031, 'platform'],
      [420_032, 'recovered'],
    ] as const) {
      expect((await app.eventsOf(number, 3))[2]!.value).toMatchObject({
        type: 'OrderReopened',
        hold: false,
        previousStatus: { code: 800 },
        status: { code: 300 },
        cause: { kind },
        order: { updatedAt: `${at(17)}-03:00` },
      });
      await app.command({
        commandId: `${number}/r3/StartPreparation`,
        command: 'StartPreparation',
        orderNumber: number,
      });
      await app.until(() => app.platform.callsOf(number, 'status').length === 1);
      await app.notify({ data: dataOf(number, 400, 18) });
      expect((await app.resultOf(`${number}/r3/StartPreparation`)).value).toMatchObject({ outcome: 'applied' });
    }
    expect([...app.events(420_031), ...app.events(420_032)]).toHaveLength(6);
  });

  it.each([
    ['the status in GET status creates it', 300, 'OrderApproved'],
    ['an operator is asked where nothing shows one', 1300, 'OrderNeedsAttention'],
  ])('of a lost order show only a 1300: %s (rules 7, 8)', async (_, status, type) => {
    app = await OrderApp.start(`behind-lost-${status}`, {
      tenant: { recovery: { callsPerMinute: 6_000, scanEveryMs: 100, scanAhead: 1 }, watch: { paidNoticeMs: 100 } },
    });
    app.platform.on.read = () => ({ status: 200, json: String(status) });
    const data = orderData({ number: 420_011, status: 1300, updatedAt: at(16) });
    app.platform.on.payload = ({ path }) =>
      path.includes('420011') ? { status: 200, json: JSON.parse(data) as object } : { status: 404 };
    await app.notify({ data: orderData({ number: 420_010, status: 300, updatedAt: at(15) }) });
    const [first] = await app.eventsOf(420_011, 1);
    expect(first!.value).toMatchObject({ type, status: { code: status }, order: { totals: { total: '12.45' } } });
    if (status === 300) return;
    await app.command({ commandId: 'release-1', command: 'ReleaseOrder', orderNumber: 420_011 });
    expect((await app.eventsOf(420_011, 2))[1]!.value).toMatchObject({ type: 'OrderApproved', status: { code: 300 } });
    await app.command({ commandId: 'prepare-1', command: 'StartPreparation', orderNumber: 420_011 });
    await app.until(() => app.platform.callsOf(420_011, 'status').length === 1);
  });

  it('find a lost order whose payload has its status as text (rules 5, 7)', async () => {
    app = await OrderApp.start('behind-text', {
      tenant: { recovery: { callsPerMinute: 6_000, scanEveryMs: 100, scanAhead: 1 } },
    });
    const data = JSON.parse(orderData({ number: 420_021, status: 300, updatedAt: at(16) })) as object;
    app.platform.on.payload = ({ path }) =>
      path.includes('420021') ? { status: 200, json: { ...data, status: '300' } } : { status: 404 };
    await app.notify({ data: orderData({ number: 420_020, status: 300, updatedAt: at(15) }) });
    expect((await app.eventsOf(420_021, 1))[0]!.value).toMatchObject({ type: 'OrderApproved', status: { code: 300 } });
  });
});
