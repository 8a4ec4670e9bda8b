import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

let app: OrderApp;

beforeAll(async () => {
  app = await OrderApp.start('release-refresh-withdraw', { tenant: { watch: { paidNoticeMs: 100 } } });
});

beforeEach(() => app.platform.answerAsAtFirst());

afterAll(() => app.stop());

const notify = (number: number, status: number, minute = 15): Promise<void> =>
  app.notify({ data: orderData({ number, status, updatedAt: `2026-11-20T10:${minute}:00` }) });
const command = (commandId: string, name: string, orderNumber: number, more: object = {}): Promise<void> =>
  app.command({ commandId, command: name, orderNumber, ...more });

describe('an order whose 300 never came', () => {
  it('is read, asks for somebody once, and is created by ReleaseOrder alone (rule 8)', async () => {
    await notify(260001, 400);
    const [attention] = await app.eventsOf(260001, 1);
    expect(attention!.value).toMatchObject({
      type: 'OrderNeedsAttention',
      revision: 1,
      previousStatus: null,
      status: { code: 400 },
      changes: [],
      attention: { code: 'PAID_NOTICE_MISSING', since: expect.any(String), waitsFor: 'operator' },
      cause: { kind: 'platform' },
    });
    expect(app.platform.callsOf(260001, 'payload').length).toBeGreaterThan(0);
    await notify(260001, 500, 16);
    await app.stored(260001, 2);
    await command('start-260001', 'MarkReady', 260001);
    expect((await app.resultOf('start-260001')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'NOT_PAID' },
    });
    await command('release-260001', 'ReleaseOrder', 260001);
    const { value } = await app.resultOf('release-260001');
    expect(value).toMatchObject({ outcome: 'applied', evidence: 'none', attempts: 0, revision: 2 });
    await notify(260001, 300, 14);
    await notify(260001, 600, 17);
    expect((await app.eventsOf(260001, 3)).map(({ value: event }) => event)).toMatchObject([
      { type: 'OrderNeedsAttention' },
      { type: 'OrderApproved', revision: 2, previousStatus: null, status: { code: 500 }, cause: { kind: 'released' } },
      { type: 'OrderShipped', revision: 3, previousStatus: { code: 500 }, cause: { kind: 'platform' } },
    ]);
  });

  it('is created by a 300 that is read (rule 8)', async () => {
    const readings = [orderData({ number: 260002, status: 400, updatedAt: '2026-11-20T10:15:00' })];
    app.platform.on.payload = () => ({
      status: 200,
      json: JSON.parse(
        readings.shift() ?? orderData({ number: 260002, status: 300, updatedAt: '2026-11-20T10:15:00' }),
      ) as unknown,
    });
    await notify(260002, 400);
    const events = await app.eventsOf(260002, 2);
    expect(events.map(({ value }) => value)).toMatchObject([
      { type: 'OrderNeedsAttention' },
      { type: 'OrderApproved', revision: 2, cause: { kind: 'recovered' } },
    ]);
  });
});

describe('RefreshOrder', () => {
  it('reads an order that Gondola does not know, creates it from what it read, and answers with it (rules 8, 18)', async () => {
    const data = orderData({ number: 260010, status: 300, updatedAt: '2026-11-20T10:15:00' });
    app.platform.on.read = () => ({ status: 200, json: 300 });
    app.platform.on.payload = () => ({ status: 200, json: JSON.parse(data) as unknown });
    await command('refresh-260010', 'RefreshOrder', 260010);
    expect((await app.resultOf('refresh-260010')).value).toMatchObject({
      outcome: 'applied',
      evidence: 'read-back',
      attempts: 0,
      revision: 1,
      data: {
        status: { code: 300, name: 'PAYMENT_APPROVED' },
        order: { orderNumber: 260010, totals: { total: '12.45' } },
      },
    });
    expect((await app.eventsOf(260010, 1))[0]!.value).toMatchObject({
      type: 'OrderApproved',
      cause: { kind: 'recovered' },
      order: { totals: { total: '12.45' }, items: [{ gross: '12.45' }] },
    });
  });

  it('is refused for an order that the platform does not know, and runs in parallel with an open command (rule 19)', async () => {
    await notify(260011, 300);
    await app.stored(260011, 1);
    await command('start-260011', 'StartPreparation', 260011);
    await app.until(() => app.platform.callsOf(260011, 'status').length === 1);
    await command('refresh-260011', 'RefreshOrder', 260011);
    expect((await app.resultOf('refresh-260011')).value).toMatchObject({
      outcome: 'refused',
      reason: { code: 'ORDER_UNKNOWN' },
    });
    expect(app.results('start-260011')).toEqual([]);
  });
});

describe('a RefreshOrder whose reads always fail', () => {
  it('leaves other commands of its order their turns (rule 19)', async () => {
    app.platform.on.payload = ({ path }) =>
      path.includes('260012') ? { status: 503, json: null } : { status: 404, json: null };
    await notify(260012, 300);
    await app.stored(260012, 1);
    await command('refresh-260012', 'RefreshOrder', 260012);
    await app.until(() => app.platform.callsOf(260012, 'payload').length > 0);
    await command('start-260012', 'StartPreparation', 260012);
    await app.until(() => app.platform.callsOf(260012, 'status').length === 1);
    expect(app.results('refresh-260012')).toEqual([]);
  });
});

describe('WithdrawCommand', () => {
  it('withdraws a command that waits behind another, and is too late for one that was sent (rule 19)', async () => {
    await notify(260020, 300);
    await app.stored(260020, 1);
    await command('start-260020', 'StartPreparation', 260020);
    await app.until(() => app.platform.callsOf(260020, 'status').length === 1);
    await command('ready-260020', 'MarkReady', 260020);
    await command('back-1', 'WithdrawCommand', 260020, { withdraws: 'ready-260020' });
    expect((await app.resultOf('ready-260020')).value).toMatchObject({
      command: 'MarkReady',
      outcome: 'withdrawn',
      attempts: 0,
      final: true,
    });
    expect((await app.resultOf('back-1')).value).toMatchObject({ outcome: 'applied', evidence: 'none', attempts: 0 });
    await command('back-2', 'WithdrawCommand', 260020, { withdraws: 'ready-260020' });
    expect((await app.resultOf('back-2')).value).toMatchObject({ outcome: 'unchanged' });
    await command('back-3', 'WithdrawCommand', 260020, { withdraws: 'start-260020' });
    expect((await app.resultOf('back-3')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'ALREADY_SENT', field: 'withdraws' },
    });
    await command('back-4', 'WithdrawCommand', 260021, { withdraws: 'start-260020' });
    expect((await app.resultOf('back-4')).value).toMatchObject({
      outcome: 'invalid',
      reason: { code: 'COMMAND_UNKNOWN', field: 'withdraws' },
    });
    expect(app.results('start-260020')).toEqual([]);
    expect(app.platform.callsOf(260020, 'status')).toHaveLength(1);
  });
});
