import { request } from 'node:http';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { deliver, envelope } from './support/deliver.ts';
import {
  ACME_OLD_TOKEN,
  ACME_TOKEN,
  BAIRRO,
  BAIRRO_TOKEN,
  IngestBench,
  PATIENT_INBOX,
} from './support/ingest-bench.ts';
import { OtherReceiver } from './support/other-receiver.ts';

let receiver: OtherReceiver;
let bench: IngestBench;
let app: RunningApp;

beforeEach(async () => {
  receiver = await OtherReceiver.start();
});

afterEach(async () => {
  await bench.close();
  await receiver.close();
});

function openBench(mirror: object = {}): Promise<IngestBench> {
  return IngestBench.open('mirror', PATIENT_INBOX, {}, { url: receiver.url, private: true, ...mirror });
}

async function start(mirror: object = {}): Promise<void> {
  bench = await openBench(mirror);
  app = await bench.start();
}

/** Sends raw headers as they are, which `fetch` would change. */
async function deliverRaw(headers: readonly string[], body: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const url = `${app.url}/webhooks/platform`;
  const sent = request(url, { method: 'POST', headers: [...headers] as never }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  sent.on('error', reject).end(Buffer.from(body, 'latin1'));
  return promise;
}

async function call(path: string, body?: object): Promise<{ status: number; body: Record<string, unknown> }> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await asOperator(`${app.url}/api/${path}`, body === undefined ? {} : post);
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

async function metric(name: string, labels: string): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name}{tenant="acme"${labels}}`));
  return Number(line?.split(' ').at(-1));
}

const waiting = () => metric('gondola_mirror_waiting', '');
const nothingWaits = () => waitFor(async () => (await waiting()) === 0, { describe: 'nothing to wait for the mirror' });
const order = (number: number, step: number) => envelope({ data: { number, status: 300, step } });

describe('a mirror', () => {
  it('receives the bytes, the headers and the order of arrival of the first delivery, and its own token', async () => {
    await start();
    const passed = [
      'Content-Type',
      'application/json; charset=utf-8',
      'X-Duas',
      'a',
      'x-duas',
      'b',
      'User-Agent',
      'p/1',
    ];
    const dropped = [
      'Authorization',
      `Bearer ${ACME_OLD_TOKEN}`,
      'Connection',
      'close, X-Hop',
      'X-Hop',
      '1',
      'TE',
      'x',
    ];
    const body = order(1, 1).replace('{', '{ \t');
    const length = ['Host', 'gondola.example.com', 'Content-Length', String(body.length)];
    expect(await deliverRaw([...passed, ...dropped, ...length], body)).toBe(200);
    const others = Array.from({ length: 30 }, (_, step) => order(1 + (step % 3), 2 + step));
    for (const each of others) await deliver(app, each);
    await nothingWaits();
    expect(receiver.bodies).toEqual([body, ...others]);
    const { rawHeaders, authorization } = receiver.received[0]!;
    expect(authorization).toBe(`Bearer ${ACME_TOKEN}`);
    const connection = new Set(['host', 'connection', 'content-length', 'authorization']);
    const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, at) => rawHeaders.slice(2 * at, 2 * at + 2));
    expect(pairs.filter(([name]) => !connection.has(name!.toLowerCase())).flat()).toEqual(passed);
  });

  it('receives what is not understood, and of a repeat and of another tenant nothing', async () => {
    await start();
    const bodies = ['{ "not": "json"', order(1, 1), 'ação \xff'];
    for (const body of [...bodies, ...bodies]) {
      expect(await deliver(app, Buffer.from(body, 'latin1'))).toMatchObject({ status: 200 });
    }
    await deliver(app, envelope({ contractAccountId: BAIRRO }), { authorization: `Bearer ${BAIRRO_TOKEN}` });
    await nothingWaits();
    expect(receiver.bodies).toEqual(bodies);
  });

  it('receives what was in the spool, too, once it is imported', async () => {
    bench = await openBench();
    const SPOOL_DIR = bench.spoolFolder();
    const nowhere = { DATABASE_URL: 'postgres://gondola@127.0.0.1:1/gondola', INBOX_BUDGET_MS: '50' };
    const away = await bench.start({ ...nowhere, SPOOL_DIR }, { inboxIsAway: true });
    const bodies = Array.from({ length: 10 }, (_, step) => order(1, step));
    for (const body of bodies) {
      expect(await deliver(away, body, { headers: { 'x-seq': `${body.length}\xe7` } })).toMatchObject({ status: 200 });
    }
    await away.stop();
    app = await bench.start({ SPOOL_DIR });
    await waitFor(() => receiver.received.length >= bodies.length, { describe: 'the spooled notifications' });
    await nothingWaits();
    expect(receiver.bodies).toEqual(bodies);
    expect(receiver.received[0]!.rawHeaders).toContain(`${bodies[0]!.length}\xe7`);
  });

  it('is paused and resumed while the app runs; what was accepted meanwhile is sent in order', async () => {
    await start();
    expect(await call('mirror/pause', { tenant: 'acme' })).toMatchObject({ status: 200, body: { waiting: 0 } });
    expect(await metric('gondola_mirror_paused', '')).toBe(1);
    const bodies = Array.from({ length: 5 }, (_, step) => order(step, step));
    for (const body of bodies) await deliver(app, body);
    const { body } = await call('mirror');
    const shown = { tenant: 'acme', receiver: new URL(receiver.url).origin, waiting: 5, failure: null };
    expect(body).toMatchObject({ entries: [{ ...shown, pausedAt: expect.any(String) }] });
    expect(receiver.received).toEqual([]);
    expect(await call('mirror/resume', { tenant: 'acme' })).toMatchObject({ status: 200, body: { pausedAt: null } });
    await nothingWaits();
    expect(receiver.bodies).toEqual(bodies);
    expect((await call('mirror/pause', { tenant: 'bairro' })).status).toBe(404);
    expect((await call('mirror/pause', {})).status).toBe(400);
  });

  it('gets nothing of an order or a shopper that was erased while it waited', async () => {
    await start();
    await call('mirror/pause', { tenant: 'acme' });
    const user = { relatedEntity: 'User', eventType: 'User_Updated', data: { email: 'cliente01@example.com' } };
    for (const body of [order(7, 1), envelope(user), order(8, 1)]) await deliver(app, body);
    expect((await call('erasures', { tenant: 'acme', orderNumber: 7, confirm: true })).status).toBe(200);
    expect(
      (await call('erasures/users', { tenant: 'acme', email: 'cliente01@example.com', confirm: true })).status,
    ).toBe(200);
    await call('mirror/resume', { tenant: 'acme' });
    await nothingWaits();
    expect(receiver.bodies.map((body) => (JSON.parse(body) as { data: { number?: number } }).data.number)).toEqual([8]);
    expect(await metric('gondola_mirror_dropped_total', ',reason="erased"')).toBe(2);
  });

  it('drops the oldest beyond maxWaiting and maxAgeMs, counts them and says so once', async () => {
    await start({ maxWaiting: 3, maxAgeMs: 3_600_000 });
    await call('mirror/pause', { tenant: 'acme' });
    const bodies = Array.from({ length: 10 }, (_, step) => order(step, step));
    for (const body of bodies) await deliver(app, body);
    await waitFor(async () => (await waiting()) === 3, { describe: 'the surplus to be dropped' });
    await bench.rows(`UPDATE mirror_deliveries SET received_at = received_at - interval '2 hours'
      WHERE id = (SELECT min(id) FROM mirror_deliveries)`);
    await waitFor(async () => (await waiting()) === 2, { describe: 'the old one to be dropped' });
    expect(await metric('gondola_mirror_dropped_total', ',reason="count"')).toBe(7);
    expect(await metric('gondola_mirror_dropped_total', ',reason="age"')).toBe(1);
    await call('mirror/resume', { tenant: 'acme' });
    await nothingWaits();
    expect(receiver.bodies).toEqual(bodies.slice(-2));
    const lines = bench.log.filter((line) => line.includes('beyond maxWaiting or maxAgeMs'));
    expect(lines.length).toBeGreaterThanOrEqual(1);
    expect(lines.length).toBeLessThanOrEqual(3);
  });

  it('that refuses a notification for good gets the next one; no content is in the log', async () => {
    await start();
    receiver.answering = ({ body }) => (body.includes('"number":1,') ? 422 : 200);
    for (const number of [1, 2]) await deliver(app, order(number, 1));
    await nothingWaits();
    expect(receiver.received).toHaveLength(2);
    expect(await metric('gondola_mirror_attempts_total', ',outcome="refused"')).toBe(1);
    expect(await metric('gondola_mirror_attempts_total', ',outcome="sent"')).toBe(1);
    expect(bench.log.filter((line) => line.includes('refused a notification'))).toHaveLength(1);
  });

  it('that redirects is not followed; what it was sent waits, and the state says so', async () => {
    await start();
    const aside = await OtherReceiver.start();
    receiver.answering = () => (response) => response.writeHead(307, { location: aside.url }).end();
    await deliver(app, order(1, 1));
    await waitFor(async () => ((await call('mirror')).body['entries'] as { failure: string }[])[0]?.failure === '307', {
      describe: 'the failure to be shown',
    });
    receiver.answering = () => 200;
    await nothingWaits();
    expect(aside.received).toEqual([]);
    await aside.close();
  });
});
