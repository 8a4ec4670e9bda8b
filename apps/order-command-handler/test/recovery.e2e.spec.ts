import { afterEach, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import type { Recovery } from '../src/recovery/recovery.dto.ts';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const UPDATED_AT = '2026-11-20T10:15:00';

const payloadOf = (number: number, status: number): object =>
  JSON.parse(orderData({ number, status, updatedAt: UPDATED_AT })) as object;

describe('orders whose notifications were lost', () => {
  let app: OrderApp;

  afterEach(() => app.stop());

  const notify = (number: number, status: number): Promise<void> =>
    app.notify({ data: orderData({ number, status, updatedAt: UPDATED_AT }) });

  /** The platform knows these orders, by their status. */
  const platformKnows = (orders: Readonly<Record<number, number>>): void => {
    app.platform.on.payload = ({ path }) => {
      const number = Number(/Orders\/(\d+)\//.exec(path)?.[1]);
      const status = orders[number];
      if (status === undefined) return { status: 404 };
      return { status: 200, json: payloadOf(number, status) };
    };
  };

  const recover = async (body: object, at: RunningApp = app.installation.running) => {
    const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    const answer = await asOperator(`${at.url}/api/recoveries`, init);
    return { status: answer.status, body: (await answer.json()) as Recovery };
  };

  const finished = async (id: string, at: RunningApp = app.installation.running): Promise<Recovery> => {
    const read = async () => (await (await asOperator(`${at.url}/api/recoveries/${id}`)).json()) as Recovery;
    await app.until(async () => (await read()).finishedAt !== null);
    return read();
  };

  /** Searches that tenants asked for, the newest first. */
  const scans = async (): Promise<Recovery[]> => {
    const { entries } = (await app.get('/api/recoveries')).body as { entries: Recovery[] };
    return entries.filter(({ source }) => source === 'scan');
  };

  it('are found in the gaps of a range, and what the platform does not know is given up (rules 7, 18)', async () => {
    app = await OrderApp.start('recovery', {
      tenant: { recovery: { callsPerMinute: 6_000, lookAgainMs: 100, lookups: 2 } },
    });
    await notify(300_001, 300);
    await notify(300_005, 300);
    for (const number of [300_001, 300_005]) await app.eventsOf(number, 1);
    platformKnows({ 300_002: 300, 300_003: 800 });
    const begun = await recover({ from: 300_001, to: 300_005 });
    expect(begun).toMatchObject({ status: 202, body: { tenant: 'acme', source: 'operator', candidates: 3 } });
    const done = await finished(begun.body.id);
    expect(done).toMatchObject({ candidates: 3, found: 2, givenUp: 1, known: 0, open: 0, lookups: 4 });
    const [approved] = await app.eventsOf(300_002, 1);
    expect(approved!.value).toMatchObject({
      type: 'OrderApproved',
      revision: 1,
      cause: { kind: 'recovered' },
      order: { orderNumber: 300_002, totals: { total: '12.45' }, customer: { firstName: 'Cliente Teste 01' } },
    });
    const received = JSON.stringify(payloadOf(300_002, 300));
    expect(approved!.bytes.toString('utf8')).toContain(`"platform":${received}}`);
    expect([app.events(300_003), app.events(300_004)]).toEqual([[], []]);
    const numbers = `/api/recoveries/${begun.body.id}/numbers`;
    expect((await app.get(`${numbers}?outcome=given-up`)).body).toEqual({
      entries: [
        { id: '300004', orderNumber: '300004', outcome: 'given-up', lookups: 2, concludedAt: expect.any(String) },
      ],
      next: null,
    });
    expect((await app.get(`${numbers}?limit=1&before=300004`)).body).toMatchObject({
      entries: [{ orderNumber: '300003', outcome: 'found' }],
      next: '300003',
    });
    expect(await app.get(`${numbers}?outcome=lost`)).toMatchObject({ status: 400 });
    expect(await app.get('/api/recoveries/999/numbers')).toMatchObject({ status: 404 });
    // The notification that comes after all is no news.
    await notify(300_002, 300);
    await notify(300_006, 300);
    await app.eventsOf(300_006, 1);
    expect(app.events(300_002)).toHaveLength(1);
    expect((await recover({ from: 5, to: 4 })).status).toBe(400);
    expect((await app.get('/api/recoveries')).body).toMatchObject({ entries: [{ id: begun.body.id }] });
  });

  it('are looked for by scans that a tenant asked for, and a number that was given up only once', async () => {
    app = await OrderApp.start('recovery-scan', {
      tenant: { recovery: { callsPerMinute: 6_000, lookAgainMs: 50, lookups: 1, scanEveryMs: 200, scanAhead: 0 } },
    });
    platformKnows({ 310_002: 300 });
    await notify(310_001, 300);
    await notify(310_004, 300);
    const [found] = await app.eventsOf(310_002, 1);
    expect(found!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'recovered' } });
    const givenUp = async () => (await scans()).find((scan) => scan.givenUp > 0);
    await app.until(async () => (await givenUp()) !== undefined);
    const { id } = (await givenUp())!;
    // Two more have begun since, and a scan that came to nothing is forgotten when the next one begins.
    await app.until(async () => Number((await scans())[0]!.id) >= Number(id) + 2);
    expect((await scans())[0]).toMatchObject({ candidates: 0 });
    expect(app.platform.callsOf(310_003, 'payload')).toHaveLength(1);
    expect((await scans()).reduce((sum, scan) => sum + scan.givenUp, 0)).toBe(1);
  });

  it('are looked for above the newest known number too, again with each scan, whoever looked there before', async () => {
    app = await OrderApp.start('recovery-ahead', {
      tenant: { recovery: { callsPerMinute: 6_000, lookAgainMs: 20, lookups: 3, scanEveryMs: 200, scanAhead: 2 } },
    });
    platformKnows({ 330_002: 300 });
    await notify(330_001, 300);
    await app.eventsOf(330_002, 1);
    const asked = await recover({ from: 330_003, to: 330_003 });
    await finished(asked.body.id);
    await app.until(() => app.platform.callsOf(330_004, 'payload').length >= 2);
    expect([app.events(330_003), app.platform.callsOf(330_005, 'payload')]).toEqual([[], []]);
    platformKnows({ 330_003: 300 });
    const [ahead] = await app.eventsOf(330_003, 1);
    expect(ahead!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'recovered' } });
    const [{ id: newest }] = (await scans()) as [Recovery];
    // Scans that came to nothing are forgotten, but for the last one and one whose readings are under way.
    await app.until(async () => {
      const all = await scans();
      const fruitless = all.filter(({ found, known }) => found + known === 0);
      return Number(all[0]!.id) >= Number(newest) + 3 && fruitless.length <= 1;
    });
  });

  it('are created by a release if they passed 300, of which the platform no longer notifies (rules 8, 18)', async () => {
    app = await OrderApp.start('recovery-past', {
      tenant: { recovery: { callsPerMinute: 6_000, lookups: 1 }, watch: { paidNoticeMs: 200 } },
    });
    platformKnows({ 340_001: 600 });
    const { body } = await recover({ from: 340_001, to: 340_001 });
    expect(await finished(body.id)).toMatchObject({ found: 1 });
    const [needed] = await app.eventsOf(340_001, 1);
    const order = { orderNumber: 340_001, totals: { total: '12.45' } };
    const attention = { code: 'PAID_NOTICE_MISSING', waitsFor: 'operator' };
    expect(needed!.value).toMatchObject({ type: 'OrderNeedsAttention', status: { code: 600 }, attention, order });
    await app.command({ commandId: 'r-1', command: 'ReleaseOrder', orderNumber: 340_001 });
    const [, approved] = await app.eventsOf(340_001, 2);
    const status = { code: 600, name: 'SHIPPED' };
    expect(approved!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'released' }, status, order });
  });

  it('are looked for where a process that ended left off, and no faster than the tenant wants', async () => {
    app = await OrderApp.start('recovery-resumed', { tenant: { recovery: { callsPerMinute: 1_200, lookups: 1 } } });
    const isBegun = Promise.withResolvers<void>();
    const readAt: number[] = [];
    app.platform.on.payload = async () => {
      const count = readAt.push(performance.now());
      await isBegun.promise;
      return count === 3 ? 'hang' : { status: 404 };
    };
    const begun = await recover({ tenant: 'acme', from: 320_001, to: 320_020 });
    expect(begun.body).toMatchObject({ candidates: 20, open: 20, perMinute: null });
    expect(Date.parse(begun.body.estimatedEndAt!)).toBeGreaterThan(Date.parse(begun.body.startedAt));
    isBegun.resolve();
    await app.until(() => readAt.length === 3);
    await app.installation.running.stop();
    expect(readAt).toHaveLength(3);
    const done = await finished(begun.body.id, await app.startReplica());
    expect(done).toMatchObject({ givenUp: 20, open: 0, estimatedEndAt: null });
    const pauses = readAt.slice(1).map((at, index) => at - readAt[index]!);
    // 50 ms, but for the rounding of clocks.
    expect(Math.min(...pauses)).toBeGreaterThan(49);
    expect(done.perMinute).toBeLessThanOrEqual(1_300);
    expect(new Set(app.platform.requests.map(({ path }) => path)).size).toBe(20);
  });
});
