import { sized } from '@gondola/local-stack/testing/sized';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import type { NotificationParts } from '@gondola/shared/testing/notification';
import { Client } from 'pg';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const ORDERS = sized(12, 120);
const FIRST = 260_001;
/** The status of minute 10, 11, 12 …; the last one is where every order ends. */
const COURSE = [300, 400, 1300, 350, 500, 600, 700];
/** Of every fourth order: paid, and cancelled. */
const CANCELLED = [300, 800];

function isCancelled(number: number): boolean {
  return number % 4 === 0;
}

/** Guarantee 4 on three replicas whose group is rebalanced meanwhile. */
describe('orders on three replicas', () => {
  let app: OrderApp;
  const others: RunningApp[] = [];

  beforeAll(async () => {
    app = await OrderApp.start('three-replicas');
    others.push(await app.startReplica(), await app.startReplica());
  });

  afterAll(() => app.stop());

  it('end in the one view of their facts, each created once, and none while it is cancelled (guarantees 2, 4) (rule 7)', async () => {
    const numbers = Array.from({ length: ORDERS }, (_, index) => FIRST + index);
    const all = numbers.flatMap((number) => notificationsOf(number, isCancelled(number) ? CANCELLED : COURSE));
    // By a fixed order that has nothing to do with their dates, and each of them twice.
    const shuffled = [...all, ...all].toSorted((one, other) => spread(one) - spread(other));
    const third = Math.ceil(shuffled.length / 3);
    await app.notify(...shuffled.slice(0, third));
    // A member leaves and another one joins while the rest arrives: its partitions and lanes go to others.
    const leaving = others[0]!.stop();
    await app.notify(...shuffled.slice(third, 2 * third));
    await leaving;
    const joining = app.startReplica();
    await app.notify(...shuffled.slice(2 * third));
    await joining;
    const last = (number: number) => app.events(number).at(-1)?.value as { status?: { code: number } } | undefined;
    const paid = numbers.filter((number) => !isCancelled(number));
    await app.until(() => paid.every((number) => last(number)?.status?.code === 700));
    // One more order, after all notifications, shows that all are stored; then every lane has had its last step.
    const after = FIRST + ORDERS;
    await app.notify({ data: orderData({ number: after, status: 300, updatedAt: '2026-11-20T10:15:00' }) });
    await app.eventsOf(after, 1);
    await app.until(async () => (await countIn(app, BUSY_LANES)) === 0);
    // Created only where the payment was known before the cancellation, and then cancelled.
    const courses = () => numbers.filter(isCancelled).map((number) => typesOf(app.events(number)));
    await app.until(() => courses().every((types) => types !== 'OrderApproved'));
    expect(courses().filter((types) => !['', 'OrderApproved,OrderCancelled'].includes(types))).toEqual([]);
    for (const number of paid) {
      const events = app.events(number).map(({ value }) => value);
      expect(events.map(({ revision }) => revision)).toEqual(events.map((_event, index) => index + 1));
      expect(events.filter(({ type }) => type === 'OrderApproved')).toHaveLength(1);
      expect(events.at(-1)).toMatchObject({ order: { totals: { total: '16.00' } } });
    }
    expect((await app.get('/api/counts')).body).toMatchObject({ orders: ORDERS + 1 });
    expect(await countIn(app, 'SELECT count(*)::int AS count FROM order_facts')).toBe(all.length + 1);
  });
});

/** Lanes that are due, held by a worker, or tried again later. */
const BUSY_LANES =
  'SELECT count(*)::int AS count FROM lanes WHERE lease_until IS NOT NULL OR due_at <= now() OR failures > 0';

async function countIn(app: OrderApp, text: string): Promise<number> {
  const client = new Client({ connectionString: app.installation.schemaUrl });
  await client.connect();
  try {
    return (await client.query<{ count: number }>(text)).rows[0]!.count;
  } finally {
    await client.end();
  }
}

function typesOf(events: ReadonlyArray<{ readonly value: Record<string, unknown> }>): string {
  return events.map(({ value }) => String(value['type'])).join();
}

/** Each status a minute after the one before, of which the total tells the minute. */
function notificationsOf(number: number, course: readonly number[]): NotificationParts[] {
  return course.map((status, minute) => {
    const at = 10 + minute;
    const data = orderData({ number, status, updatedAt: `2026-11-20T10:${at}:00`, total: `${at}.00` });
    return { data, operationId: `op-${number}-${status}` };
  });
}

function spread({ operationId }: NotificationParts): number {
  const text = operationId ?? '';
  return Buffer.from(text).reduce((sum, byte) => (sum * 31 + byte) % 9_973, 7);
}
