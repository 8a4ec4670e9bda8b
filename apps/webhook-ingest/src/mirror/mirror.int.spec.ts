import { createLogger } from '@gondola/service-kit/logging/logger';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';
import { NotificationsRepository } from '../inbox/notifications.repository.ts';
import { UserErasuresRepository } from '../inbox/user-erasures.repository.ts';
import { envelope } from '../../test/support/deliver.ts';
import { InboxDatabase } from '../../test/support/inbox-database.ts';
import { ACME_RECEIVER, received } from '../../test/support/incoming.ts';
import { OtherReceiver } from '../../test/support/other-receiver.ts';
import { type NewNotification, readNotification } from '../notifications/read-notification.ts';
import { MIRROR_TIMES } from './judge-attempt.ts';
import { MirrorDeliveries } from './mirror-deliveries.repository.ts';
import { MirrorLane } from './mirror-lane.service.ts';
import { MirrorReceiver } from './mirror-receiver.adapter.ts';
import { MirrorMetrics } from './mirror.metrics.ts';

let inbox: InboxDatabase;
let notifications: NotificationsRepository;
let deliveries: MirrorDeliveries;
let receiver: OtherReceiver;
let lane: MirrorLane | undefined;

beforeAll(async () => {
  inbox = await InboxDatabase.open('mirror-lane');
  notifications = new NotificationsRepository(inbox.database, new UserErasuresRepository(inbox.database));
  deliveries = new MirrorDeliveries(inbox.database);
});

afterAll(() => inbox.close());

beforeEach(async () => {
  receiver = await OtherReceiver.start();
});

async function startLane(answerMs = 60_000): Promise<void> {
  const mirror = { url: receiver.url, token: 'of-the-mirror', private: true, maxWaiting: 1_000, maxAgeMs: 3_600_000 };
  const metrics = new MirrorMetrics(new Registry(), deliveries, { mirrors: new Map([['acme', mirror]]) });
  const logger = createLogger({ app: 'test', level: 'silent' });
  const backoff = { baseMs: 5, maxMs: 20 };
  const times = { ...MIRROR_TIMES, idleMs: 5, answerMs, backoff, aside: { baseMs: 60_000, maxMs: 60_000 } };
  lane = new MirrorLane({ tenant: 'acme', mirror, deliveries, metrics, logger, times });
  await lane.start();
}

afterEach(async () => {
  await lane?.stop();
  lane = undefined;
  await receiver.close();
  await inbox.clear();
  await inbox.database.query('TRUNCATE mirror_deliveries, mirrors');
});

/** Steps of orders for the mirror, in this order: `1a`, `1b`, `2a`. */
function rowsOf(steps: readonly string[]): NewNotification[] {
  return steps.map((step) => {
    const body = envelope({ data: { number: Number(step.slice(0, -1)), status: 300, step } });
    const read = readNotification(ACME_RECEIVER, Buffer.from(body));
    if (read.kind !== 'notification') throw new Error('It is not understood');
    return { ...read.notification, received: received(body, { headers: ['x-step', step] }) };
  });
}

async function store(...steps: readonly string[]): Promise<void> {
  await notifications.insert(rowsOf(steps));
}

const stepsReceived = () => receiver.bodies.map((body) => (JSON.parse(body) as { data: { step: string } }).data.step);
const waiting = async () => (await deliveries.states(['acme']))[0]!.waiting;

describe('one notification that the receiver never takes', () => {
  it('steps aside after three failures; those of its entity wait behind it, and all others pass in order', async () => {
    receiver.answering = ({ body }) => (body.includes('"step":"1a"') ? 500 : 200);
    await store('1a', '2a', '1b', '3a', '2b');
    await startLane();
    await waitFor(async () => (await waiting()) === 2, { describe: 'the others to pass' });
    expect(stepsReceived()).toEqual(['1a', '1a', '1a', '2a', '3a', '2b']);
    await inbox.database.query('UPDATE mirror_deliveries SET due_at = now()');
    await waitFor(() => receiver.received.length === 7, { describe: 'the fourth attempt' });
    expect(stepsReceived().at(-1)).toBe('1a');
    expect(await waiting()).toBe(2);
  });

  it('and another one do not slow the others down once both are known', async () => {
    receiver.answering = ({ body }) => (/"step":"[12]a"/.test(body) ? 503 : 200);
    await store('1a', '2a', ...Array.from({ length: 20 }, (_, at) => `${at + 3}a`));
    await startLane();
    await waitFor(async () => (await waiting()) === 2, { describe: 'the others to pass' });
    // Three each, and one more each when the others first pass, since the receiver might have been away.
    expect(stepsReceived().filter((step) => ['1a', '2a'].includes(step))).toHaveLength(8);
  });
});

describe('a receiver that is away', () => {
  it.each([
    ['answers 500', 500],
    ['hangs', 'hangs'],
  ] as const)(
    'and %s loses nothing, and when it is back everything comes, in the order of each entity',
    async (_, answer) => {
      receiver.answering = () => answer;
      await store('1a', '2a', '3a', '1b', '2b', '3b');
      await startLane(answer === 500 ? undefined : 300);
      await waitFor(() => receiver.received.length >= 7, { describe: 'attempts with three of them' });
      expect((await deliveries.states(['acme']))[0]).toMatchObject({
        failure: answer === 500 ? '500' : 'TIMEOUT',
        failingSince: expect.any(Date),
      });
      const before = receiver.received.length;
      receiver.answering = () => 200;
      await waitFor(async () => (await waiting()) === 0, { describe: 'everything to be sent' });
      const steps = stepsReceived().slice(before);
      for (const number of ['1', '2', '3']) {
        expect([...new Set(steps.filter((step) => step.startsWith(number)))]).toEqual([`${number}a`, `${number}b`]);
      }
      expect((await deliveries.states(['acme']))[0]).toMatchObject({ failure: null, failingSince: null });
    },
  );

  it('is no connection either, and its connections are made anew', async () => {
    const url = new URL(receiver.url);
    await receiver.close();
    const away = new MirrorReceiver({ url: url.href, token: 'x', private: true }, 500);
    expect(await away.send([], Buffer.from('{}'))).toEqual({ code: 'ECONNREFUSED' });
    await away.close();
    receiver = await OtherReceiver.start();
  });
});

describe('the address of a receiver', () => {
  it('is checked as the connection is made: a name of a private address needs the permission', async () => {
    const { port } = new URL(receiver.url);
    const at = { url: `http://localhost:${port}/`, token: 'x' };
    const foreign = new MirrorReceiver({ ...at, private: false }, 2_000);
    expect(await foreign.send([], Buffer.from('{}'))).toEqual({ code: 'ADDRESS_FORBIDDEN' });
    expect(receiver.received).toEqual([]);
    await foreign.close();
  });

  it('may send an endless answer, of which little is read', async () => {
    receiver.answering = () => (response) => {
      response.writeHead(200);
      const write = (): void => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
        if (!response.destroyed) response.once('drain', write);
      };
      write();
    };
    const endless = new MirrorReceiver({ url: receiver.url, token: 'x', private: true }, 60_000);
    expect(await endless.send([], Buffer.from('{}'))).toEqual({ status: 200 });
    await endless.close();
  });
});

describe('what waits for a mirror', () => {
  it('is stored in one statement with its content, in the order of arrival, and for a repeat nothing', async () => {
    const rows = rowsOf(['2a', '1a', '1b']);
    await notifications.insert(rows);
    await notifications.insert(rows);
    const { rows: found } = await inbox.database.query<{ headers: string[]; body: Buffer | null }>(
      `SELECT d.headers, n.body FROM mirror_deliveries AS d JOIN notifications AS n ON n.id = notification_id ORDER BY d.id`,
    );
    expect(found.map(({ headers }) => headers[1])).toEqual(['2a', '1a', '1b']);
    expect(found.every(({ body }) => body !== null)).toBe(true);
  });

  it('is deleted after its time if no tenant has the mirror any more', async () => {
    await store('1a', '2a');
    await inbox.database.query(`UPDATE mirror_deliveries SET received_at = now() - interval '2 days'
      WHERE id = (SELECT min(id) FROM mirror_deliveries)`);
    await deliveries.forget(['acme'], 86_400_000);
    expect(await waiting()).toBe(2);
    await deliveries.forget([], 86_400_000);
    expect(await waiting()).toBe(1);
  });
});
