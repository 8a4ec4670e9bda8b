import { EvasiveReads } from '@gondola/local-stack/testing/evasive-reads';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { afterEach, describe, expect, it } from '@jest/globals';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const CALLS_PER_MINUTE = 1_200;
const PAUSE_MS = 60_000 / CALLS_PER_MINUTE;
/** Reads that show the state before. */
const BEHIND = 3;

interface Shown {
  readonly status: number;
  readonly total: string;
  readonly updatedAt: string;
}

const numberOf = (path: string): number => Number(/Orders\/(\d+)\//.exec(path)?.[1]);

describe('an open order whose last notifications were lost', () => {
  let app: OrderApp;
  let orders: Map<number, Shown>;
  /** Each state that an order had, the newest last. */
  let states: Map<number, Shown[]>;

  afterEach(() => app.stop());

  const start = async (label: string, recovery: object = {}): Promise<void> => {
    orders = new Map();
    states = new Map();
    app = await OrderApp.start(label, {
      tenant: { recovery: { callsPerMinute: CALLS_PER_MINUTE, quietMs: 500, quietMaxMs: 60_000, ...recovery } },
    });
    app.platform.on.payload = ({ path }) => {
      const number = numberOf(path);
      const order = orders.get(number);
      return order === undefined ? { status: 404 } : { status: 200, json: JSON.parse(dataOf(number)) as object };
    };
  };

  const dataOf = (number: number, shown = orders.get(number)!): string => orderData({ number, ...shown });

  /** The platform's change of an order, and its notification unless it is lost. */
  const changed = (number: number, minute: number, change: Partial<Shown>, { lost = false, as = 0 } = {}) => {
    const updatedAt = `2026-11-20T10:${String(minute).padStart(2, '0')}:00`;
    const shown = { status: 300, total: '12.450', ...orders.get(number), ...change, updatedAt };
    orders.set(number, shown);
    states.set(number, [...(states.get(number) ?? []), shown]);
    const data = as === 0 ? dataOf(number) : dataOf(number).replace(/"status": \d+/, `"status": ${as}`);
    return lost ? [] : [{ data }];
  };

  const newest = (number: number) => app.events(number).at(-1)!.value;

  it('is read once it was quiet for a while, and published as it is, though its first reads are evasive and behind (rules 5, 9, 10)', async () => {
    await start('lost-notifications');
    app.platform.evasive = new EvasiveReads();
    const looks = new Map<number, number>();
    app.platform.on.payload = ({ path }) => {
      const number = numberOf(path);
      const look = looks.get(number) ?? 0;
      looks.set(number, look + 1);
      // The state before the last, then the last.
      const shown = states.get(number)!.at(look < BEHIND ? -2 : -1) ?? orders.get(number)!;
      return { status: 200, json: JSON.parse(dataOf(number, shown)) as object };
    };
    const numbers = Array.from({ length: 20 }, (_, index) => 350_001 + index);
    await app.notify(...numbers.flatMap((number) => changed(number, 10, { status: 300 })));
    for (const number of numbers) await app.eventsOf(number, 1);
    const course = [
      { status: 400 },
      { total: '11.000', as: 1300 },
      { status: 500 },
      { status: 750 },
      { status: 800 },
    ] as const;
    // Of each order, one notification is lost for good, and what follows it does not happen.
    await app.notify(
      ...numbers.flatMap((number, index) =>
        course
          .slice(0, (index % course.length) + 1)
          .flatMap(({ as = 0, ...change }: { as?: number } & Partial<Shown>, step) =>
            changed(number, 11 + step, change, { lost: step === index % course.length, as }),
          ),
      ),
    );
    await app.until(() =>
      numbers.every((number) => {
        const { status, total } = orders.get(number)!;
        const { status: published, order } = newest(number) as unknown as PublishedOrder;
        return published.code === status && Number(order.totals.total) === Number(total);
      }),
    );
    for (const number of numbers) {
      const events = app.events(number).map(({ value }) => value as unknown as PublishedOrder);
      expect(events.at(-1)!.cause).toEqual({ kind: 'recovered' });
      expect(events.map(({ revision }) => revision)).toEqual(events.map((_, index) => index + 1));
      const dates = events.map(({ order }) => order.updatedAt);
      expect(dates).toEqual(dates.toSorted());
    }
    expect(app.platform.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('is read no more often than the tenant wants, whoever wakes the search', async () => {
    await start('lost-rate', { scanEveryMs: 50, scanAhead: 3, quietMaxMs: 50, quietMs: 50, lookAgainMs: 10 });
    const readAt: number[] = [];
    const answer = app.platform.on.payload;
    app.platform.on.payload = (request) => {
      readAt.push(performance.now());
      return answer(request);
    };
    await app.notify(...[360_001, 360_003, 360_005].flatMap((number) => changed(number, 10, { status: 300 })));
    await app.until(() => readAt.length >= 30);
    const pauses = readAt.slice(1).map((at, index) => at - readAt[index]!);
    expect(Math.min(...pauses)).toBeGreaterThan(PAUSE_MS - 1);
    expect(app.platform.callsOf(360_002, 'payload').length).toBeGreaterThan(0);
    expect(app.platform.callsOf(360_003, 'payload').length).toBeGreaterThan(1);
  });

  it('is not read while a command of it is under way, nor once it has ended', async () => {
    await start('lost-undisturbed', { quietMs: 100, quietMaxMs: 100 });
    const numbers = [370_001, 370_002, 370_003];
    await app.notify(...numbers.flatMap((number) => changed(number, 10, { status: 300 })));
    for (const number of numbers) await app.eventsOf(number, 1);
    await app.notify(...changed(370_002, 11, { status: 700 }));
    await app.eventsOf(370_002, 2);
    const before = app.platform.requests.length;
    await app.command({ commandId: 'prepare-1', command: 'StartPreparation', orderNumber: 370_001 });
    await app.until(() => app.platform.callsOf(370_001, 'status').length === 1);
    const sent = app.platform.callsOf(370_001, 'payload').length;
    const others = app.platform.callsOf(370_003, 'payload').length;
    await app.until(() => app.platform.callsOf(370_003, 'payload').length >= others + 8);
    expect(app.platform.callsOf(370_001, 'payload').length).toBeLessThanOrEqual(sent);
    const late = app.platform.requests.slice(before).filter(({ path }) => numberOf(path) === 370_002);
    expect(late.length).toBeLessThanOrEqual(1);
    await app.notify(...changed(370_001, 12, { status: 400 }));
    expect((await app.resultOf('prepare-1')).value).toMatchObject({ outcome: 'applied', attempts: 1 });
    await app.until(() => app.platform.callsOf(370_001, 'payload').length > sent);
    expect(app.events(370_001)).toHaveLength(1);
  });

  it('is passed by the others while the platform fails for it alone (guarantee 5)', async () => {
    await start('lost-failing', { scanEveryMs: 200, scanAhead: 0, lookAgainMs: 10, lookups: 1 });
    const answer = app.platform.on.payload;
    const failing = new Set([380_001, 380_002]);
    app.platform.on.payload = (request) => (failing.has(numberOf(request.path)) ? { status: 500 } : answer(request));
    // The platform has it before a scan can look for it, which it does once.
    changed(380_004, 12, { status: 300 }, { lost: true });
    await app.notify(...[380_001, 380_003, 380_005].flatMap((number) => changed(number, 10, { status: 300 })));
    await app.eventsOf(380_003, 1);
    changed(380_003, 12, { status: 800 }, { lost: true });
    const [, cancelled] = await app.eventsOf(380_003, 2);
    expect(cancelled!.value).toMatchObject({ type: 'OrderCancelled', cause: { kind: 'recovered' } });
    const [approved] = await app.eventsOf(380_004, 1);
    expect(approved!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'recovered' } });
    const unreadable = async () => {
      const { entries } = (await app.get('/api/recoveries')).body as { entries: { id: string; unreadable: number }[] };
      return entries.find((each) => each.unreadable > 0);
    };
    await app.until(async () => (await unreadable()) !== undefined);
    const { id } = (await unreadable())!;
    expect((await app.get(`/api/recoveries/${id}/numbers?outcome=unreadable`)).body).toMatchObject({
      entries: [{ orderNumber: '380002', outcome: 'unreadable', lookups: 0 }],
    });
    expect(app.platform.callsOf(380_002, 'payload')).toHaveLength(8);
  });

  it('is read although only its refused payment was heard of, some times: its 300 may be lost (rules 5, 7)', async () => {
    await start('lost-payment', { quietMs: 50, quietMaxMs: 100, scanEveryMs: null });
    const refused = [410_001, 410_002].flatMap((number) => changed(number, 10, { status: 250 }));
    changed(410_001, 11, { status: 300 }, { lost: true });
    await app.notify(...refused, ...changed(410_003, 10, { status: 300 }));
    const [approved] = await app.eventsOf(410_001, 1);
    expect(approved!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'recovered' } });
    await app.until(() => app.platform.callsOf(410_002, 'payload').length >= 6);
    const others = app.platform.callsOf(410_003, 'payload').length;
    await app.until(() => app.platform.callsOf(410_003, 'payload').length >= others + 5);
    expect(app.platform.callsOf(410_002, 'payload').length).toBeLessThanOrEqual(7);
    expect(app.events(410_002)).toEqual([]);
  });

  it('gives way to a notification of a later change, since a reading has the date of what it shows (rule 9)', async () => {
    await start('lost-dated', { quietMs: 900_000, scanEveryMs: 500, scanAhead: 0 });
    await app.notify(...changed(390_001, 10, { status: 300 }));
    await app.eventsOf(390_001, 1);
    changed(390_001, 11, { status: 500 }, { lost: true });
    await app.command({ commandId: 'refresh-1', command: 'RefreshOrder', orderNumber: 390_001 });
    await app.eventsOf(390_001, 2);
    await app.resultOf('refresh-1');
    const readings = app.platform.callsOf(390_001, 'payload').length;
    await app.notify(...changed(390_001, 12, { status: 800 }));
    const [, recovered, cancelled] = await app.eventsOf(390_001, 3);
    expect(recovered!.value).toMatchObject({
      cause: { kind: 'recovered' },
      order: { updatedAt: '2026-11-20T10:11:00-03:00' },
    });
    expect(cancelled!.value).toMatchObject({ type: 'OrderCancelled', cause: { kind: 'platform' } });
    expect(app.platform.callsOf(390_001, 'payload')).toHaveLength(readings);
  });

  it.each([
    ['date', 470_001, (data: string) => data.replace(/"updatedAt": "[^"]*"/, String.raw`"updatedAt": "agora\u0000"`)],
    ['status', 470_002, (data: string) => data.replace(/"status": \d+/, '"status": {"code":1000}')],
  ] as const)(
    'is read at once if a notification comes without its %s, also after its end (rules 5, 9)',
    async (what, number, spoilt) => {
      await start(`lost-${what}`, { quietMs: 900_000, scanEveryMs: null });
      await app.notify(...changed(number, 10, { status: 300 }));
      await app.eventsOf(number, 1);
      await app.notify(...changed(number, 11, { status: 700 }));
      await app.eventsOf(number, 2);
      const [returned] = changed(number, 12, { status: 1000 });
      await app.notify({ data: spoilt(returned!.data) });
      await app.eventsOf(number, 3);
      expect(newest(number)).toMatchObject({
        type: 'OrderReturned',
        cause: { kind: 'recovered' },
        order: { updatedAt: '2026-11-20T10:12:00-03:00' },
      });
    },
  );

  it('is read ever more rarely while its reads say nothing new, also if they say 1300 (rules 5, 7)', async () => {
    await start('lost-unchanged', { quietMs: 50, quietMaxMs: 3_600_000, scanEveryMs: null });
    const numbers = [420_001, 420_002];
    app.platform.on.payload = ({ path }) => {
      const number = numberOf(path);
      const known = JSON.parse(dataOf(number)) as object;
      return { status: 200, json: number === 420_001 ? { ...known, status: 1300 } : known };
    };
    await app.notify(...numbers.flatMap((number) => changed(number, 10, { status: 300 })));
    for (const number of numbers) await app.eventsOf(number, 1);
    const looks = () => app.installation.query<{ looks: number }>('SELECT looks FROM orders');
    await app.until(async () => (await looks()).every((order) => order.looks >= 5));
    for (const number of numbers) expect(app.platform.callsOf(number, 'payload').length).toBeLessThan(9);
  });

  it('is given up after 30 days, and read again when it is heard of or an operator asks', async () => {
    await start('lost-given-up', { quietMs: 100, quietMaxMs: 100, scanEveryMs: null });
    await app.notify(...changed(430_001, 10, { status: 300 }));
    await app.eventsOf(430_001, 1);
    const givenUp = async () => {
      const { entries } = (await app.get('/api/orders?givenUp=true')).body as { entries: { orderNumber: string }[] };
      return entries.map(({ orderNumber }) => orderNumber);
    };
    const old = `now() - interval '31 days'`;
    const age = () =>
      app.installation.query(`WITH facts AS (UPDATE order_facts SET received_at = ${old})
        UPDATE orders SET published_at = ${old}, status_since = ${old}`);
    await age();
    await app.until(async () => (await givenUp()).length === 1);
    const reads = app.platform.callsOf(430_001, 'payload').length;
    const init = {
      method: 'POST',
      body: '{"from":430001,"to":430001}',
      headers: { 'content-type': 'application/json' },
    };
    await asOperator(`${app.installation.running.url}/api/recoveries`, init);
    await app.until(
      async () => app.platform.callsOf(430_001, 'payload').length > reads && (await givenUp()).length === 1,
    );
    await app.notify(...changed(430_001, 11, { status: 400 }));
    await app.eventsOf(430_001, 2);
    expect(await givenUp()).toEqual([]);
    await age();
    await app.until(async () => (await givenUp()).length === 1);
    changed(430_001, 12, { status: 800 }, { lost: true });
    await app.command({ commandId: 'refresh-2', command: 'RefreshOrder', orderNumber: 430_001 });
    const [, , cancelled] = await app.eventsOf(430_001, 3);
    expect(cancelled!.value).toMatchObject({ type: 'OrderCancelled' });
  });

  it('is scanned for among the others, whatever number stands far above them', async () => {
    await start('lost-outlier', { scanEveryMs: 100, scanAhead: 0, quietMs: null });
    changed(400_002, 11, { status: 300 }, { lost: true });
    await app.notify(...[400_001, 400_003, 999_999_999].flatMap((number) => changed(number, 10, { status: 300 })));
    const [approved] = await app.eventsOf(400_002, 1);
    expect(approved!.value).toMatchObject({ type: 'OrderApproved', cause: { kind: 'recovered' } });
  });
});

interface PublishedOrder {
  readonly revision: number;
  readonly cause: object;
  readonly status: { readonly code: number };
  readonly order: { readonly updatedAt: string; readonly totals: { readonly total: string } };
}
