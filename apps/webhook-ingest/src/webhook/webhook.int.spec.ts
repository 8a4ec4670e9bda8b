import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { TopicReader } from '@gondola/local-stack/testing/topic-reader';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { deliver, envelope } from '../../test/support/deliver.ts';
import {
  ACME,
  ACME_OLD_TOKEN,
  ACME_TOKEN,
  BAIRRO,
  BAIRRO_TOKEN,
  CATALOG,
  IngestBench,
  ORDERS,
  USERS,
  PATIENT_INBOX,
} from '../../test/support/ingest-bench.ts';

const MAX_BODY_BYTES = 50_000;
const OPERATION = '33333333-3333-4333-8333-333333333333';

let bench: IngestBench;
let app: RunningApp;
let topics: TopicReader;

beforeAll(async () => {
  bench = await IngestBench.open('webhook', { ...PATIENT_INBOX, MAX_BODY_BYTES: String(MAX_BODY_BYTES) });
  app = await bench.start();
  topics = await bench.read(ORDERS, CATALOG, USERS);
});

afterAll(async () => {
  await bench.close();
});

/** The only record with this value, once it is on the topic. */
async function recordOf(body: string) {
  const isIt = (value: Buffer | null): boolean => value?.equals(Buffer.from(body)) ?? false;
  const records = await topics.waitForRecords((seen) => seen.some(({ value }) => isIt(value)));
  return records.find(({ value }) => isIt(value))!;
}

async function storedRows(): Promise<number> {
  const [row] = await bench.rows<{ rows: number }>(
    'SELECT ((SELECT count(*) FROM notifications) + (SELECT count(*) FROM quarantine))::int AS rows',
  );
  return row!.rows;
}

function dial(): Socket {
  const { hostname, port } = new URL(app.url);
  // The server may close it while it is written to.
  return connect(Number(port), hostname).on('error', () => {});
}

const metricsText = async () => (await fetch(`${app.url}/metrics`)).text();

const heads = (token: string) =>
  `POST /webhooks/platform HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${token}\r\n`;
const statusesOf = (text: string) => text.match(/(?<=HTTP\/1\.1 )\d{3}/g) ?? [];

describe('notifications that a sender delivers on one connection before it has an answer', () => {
  it('are stored and answered, however many there are (rules 3, 4)', async () => {
    const COUNT = 1_500;
    const before = await storedRows();
    const requests = Array.from({ length: COUNT }, (_, number) => {
      const body = envelope({ data: { number: 700_000 + number } });
      return `${heads(ACME_TOKEN)}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    });
    const socket = dial();
    let received = '';
    let isClosed = false;
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.on('close', () => (isClosed = true));
    socket.write(requests.join(''));
    await waitFor(() => isClosed || statusesOf(received).length === COUNT, { describe: 'every answer' });
    socket.destroy();
    expect(statusesOf(received)).toEqual(requests.map(() => '200'));
    expect((await storedRows()) - before).toBe(COUNT);
  });

  it('are cut off beyond a limit if the sender is unknown', async () => {
    const socket = dial();
    socket.write(`${heads('unknown-token')}Content-Length: 0\r\n\r\n`.repeat(30_000));
    await new Promise((resolve) => void socket.resume().once('close', resolve));
    expect(socket.destroyed).toBe(true);
  });
});

describe('a delivered notification', () => {
  it('reaches its topic byte for byte, with the headers of the contract, by its entity (rules 1, 6)', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const body = ` {"eventType":"Order_Updated", "operationId":"${OPERATION}",\n"data" : { "total":1.10,"number":100234,
      "note":"pe\\u00e7a ação","huge":12345678901234567890,"extra":null}, "relatedEntity":"Order","contractAccountId":"${ACME}" } `;
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const before = Date.now();
    expect(await deliver(app, body, { headers })).toMatchObject({ status: 200, text: '' });
    const record = await recordOf(body);
    const { ce_time: time = '', traceparent = '', ...others } = record.headers;
    expect(others).toEqual({
      'content-type': 'application/json',
      ce_specversion: '1.0',
      ce_id: record.key,
      ce_source: '/gondola/webhook-ingest',
      ce_type: 'platform.Order_Updated',
      ce_subject: 'order/100234',
      ce_tenant: 'acme',
      ce_partitionkey: 'acme/order/100234',
      ce_operationid: OPERATION,
      ce_relatedentity: 'Order',
    });
    expect(record.topic).toBe(fullTopicName(bench.prefix, ORDERS));
    expect(record.key).toMatch(new RegExp(`^acme:${OPERATION}:Order_Updated:[0-9a-f]{64}$`));
    // Of three, as Kafka's Java producer computes it from the partition key.
    expect(record.partition).toBe(0);
    expect(new Date(time).toISOString()).toBe(time);
    expect(Date.parse(time)).toBeGreaterThanOrEqual(before);
    expect(traceparent).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
  });

  it('is identified by its operation, without a subject, if it names no entity (rule 1)', async () => {
    const body = envelope({ operationId: OPERATION, relatedEntity: 'WarehouseSKU', eventType: 'WarehouseSKU_Updated' });
    await deliver(app, body);
    const { headers, partition, topic } = await recordOf(body);
    expect(headers['ce_partitionkey']).toBe(`acme/operation/${OPERATION}`);
    expect(headers).not.toHaveProperty('ce_subject');
    expect(partition).toBe(0);
    expect(topic).toBe(fullTopicName(bench.prefix, CATALOG));
  });

  it('about a user is published only if the tenant wants it, and stored in any case (rules 1, 6)', async () => {
    const user = { relatedEntity: 'User', eventType: 'User_Updated', data: { email: 'cliente01@example.com' } };
    const untold = envelope(user);
    const told = envelope({ ...user, contractAccountId: BAIRRO });
    expect(await deliver(app, untold)).toMatchObject({ status: 200 });
    expect(await deliver(app, told, { authorization: BAIRRO_TOKEN })).toMatchObject({ status: 200 });
    const record = await recordOf(told);
    expect(record.topic).toBe(fullTopicName(bench.prefix, USERS));
    expect(JSON.stringify([record.key, record.headers])).not.toContain('cliente01');
    await bench.everythingSent();
    const stored = await bench.rows<{ tenant: string; topic: string | null }>(
      "SELECT tenant, topic FROM notifications WHERE related_entity = 'User' ORDER BY tenant",
    );
    expect(stored).toEqual([
      { tenant: 'acme', topic: null },
      { tenant: 'bairro', topic: USERS },
    ]);
    expect(topics.records().some(({ value }) => value?.toString() === untold)).toBe(false);
  });

  it.each(['json', ';;', 'text/plain', 'application/json; charset=latin1', 'multipart/form-data'])(
    'is taken whatever its content type says: %s (rule 4)',
    async (type) => {
      const body = envelope();
      expect(await deliver(app, body, { headers: { 'content-type': type } })).toMatchObject({ status: 200 });
      await recordOf(body);
    },
  );

  it.each(['/webhooks/platform/', '/webhooks/platform/acme', '/webhooks/platform/acme/', '/webhooks/platform?a=b'])(
    'is taken at %s',
    async (path) => {
      expect(await deliver(app, envelope(), { path })).toMatchObject({ status: 200 });
    },
  );
});

describe('a token', () => {
  it.each([ACME_TOKEN, ACME_OLD_TOKEN, `Bearer ${ACME_OLD_TOKEN}`, `Basic ${ACME_TOKEN}`])(
    'is taken as sent or with its scheme, today’s and yesterday’s (rule 3): %#',
    async (authorization) => {
      expect(await deliver(app, envelope(), { authorization })).toMatchObject({ status: 200 });
    },
  );

  it('that is not right is 401, the same for every reason, and nothing is stored (rule 3)', async () => {
    const rows = await storedRows();
    const refused = await Promise.all([
      deliver(app, envelope(), { authorization: null }),
      deliver(app, envelope(), { authorization: '' }),
      deliver(app, envelope(), { authorization: 'Bearer' }),
      deliver(app, envelope(), { authorization: `${ACME_TOKEN}x` }),
      deliver(app, envelope(), { authorization: `Digest ${ACME_TOKEN}` }),
      deliver(app, envelope(), { authorization: ACME_TOKEN, path: '/webhooks/platform/bairro' }),
      deliver(app, envelope(), { authorization: ACME_TOKEN, path: '/webhooks/platform/nobody' }),
      deliver(app, '{"operationId"', { authorization: 'x' }),
      deliver(app, 'x'.repeat(MAX_BODY_BYTES * 2), { authorization: 'x' }),
    ]);
    const answers = new Set(refused.map(({ status, text }) => `${status} ${text}`));
    expect([...answers]).toEqual(['401 {"error":{"code":"UNAUTHORIZED","message":"Unauthorized"}}']);
    expect(await storedRows()).toBe(rows);
  });

  it('is judged before the body is read (rule 3)', async () => {
    const socket = dial();
    const answer = new Promise<string>((resolve) => void socket.once('data', (bytes) => resolve(bytes.toString())));
    socket.write('POST /webhooks/platform HTTP/1.1\r\nHost: x\r\nAuthorization: x\r\nContent-Length: 1000\r\n\r\n{');
    expect(await answer).toMatch(/^HTTP\/1\.1 401 /);
    socket.destroy();
  });
});

function ofLength(bytes: number): string {
  const bare = envelope({ data: { number: 1, note: '' } });
  return bare.replace('"note":""', `"note":"${'x'.repeat(bytes - bare.length)}"`);
}

describe('a body', () => {
  it.each([false, true])('of MAX_BODY_BYTES is taken, chunked: %s (rule 4)', async (chunked) => {
    const body = ofLength(MAX_BODY_BYTES);
    expect(await deliver(app, body, { chunked })).toMatchObject({ status: 200 });
    await recordOf(body);
  });

  it.each([
    [MAX_BODY_BYTES + 1, false],
    [MAX_BODY_BYTES + 1, true],
    [20_000_000, false],
    [20_000_000, true],
  ])('of %i bytes is over it: 413 and an alert, chunked: %s (rule 4)', async (bytes, chunked) => {
    const rows = await storedRows();
    const lines = bench.log.length;
    expect(await deliver(app, ofLength(bytes), { chunked })).toMatchObject({ status: 413 });
    const alert = bench.log.slice(lines).map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(alert).toContainEqual(expect.objectContaining({ level: 'error', tenant: 'acme', limit: MAX_BODY_BYTES }));
    expect(await storedRows()).toBe(rows);
  });

  it('that breaks off is stored nowhere', async () => {
    const rows = await storedRows();
    const lines = bench.log.length;
    const socket = dial();
    const head = `POST /webhooks/platform HTTP/1.1\r\nHost: x\r\nAuthorization: ${ACME_TOKEN}\r\n`;
    socket.end(`${head}Content-Length: 1000\r\n\r\n{}`);
    await new Promise<void>((resolve) => void socket.resume().once('close', resolve));
    expect(await storedRows()).toBe(rows);
    const errors = bench.log.slice(lines).filter((line) => line.includes('"level":"error"'));
    expect(errors.filter((line) => line.includes('"traceparent"'))).toEqual([]);
  });
});

describe('the operations of the app', () => {
  it('count deliveries by what became of them', async () => {
    await deliver(app, envelope({ operationId: OPERATION }));
    await deliver(app, envelope({ operationId: OPERATION }));
    await deliver(app, '{}');
    await deliver(app, ofLength(MAX_BODY_BYTES + 1));
    await deliver(app, envelope(), { authorization: 'another' });
    const metrics = await metricsText();
    for (const outcome of ['stored', 'repeated', 'quarantined', 'too-large']) {
      expect(metrics).toContain(`gondola_notifications_received_total{tenant="acme",outcome="${outcome}"}`);
    }
    expect(metrics).toMatch(/gondola_webhook_unauthorized_total [1-9]/);
  });

  it('show what waits for the relay, what Kafka refused for good, and whether this replica sends', async () => {
    await bench.everythingSent();
    await bench.rows('UPDATE notifications SET parked_at = now() WHERE id = (SELECT min(id) FROM notifications)');
    // Without the lock for a moment after a failure.
    const isActive = 'gondola_relay_active{source="notifications"} 1';
    const look = async () => [await metricsText()].find((text) => text.includes(isActive));
    const metrics = await waitFor(look, { describe: 'this replica to send' });
    expect(metrics).toContain('gondola_outbox_records{source="notifications"} 0');
    expect(metrics).toContain('gondola_outbox_parked_records{source="notifications"} 1');
  });

  it('describe the webhook and the quarantine', async () => {
    const document = (await (await asOperator(`${app.url}/api/openapi.json`)).json()) as {
      paths: Record<string, unknown>;
      components: { schemas: Record<string, unknown>; securitySchemes: Record<string, unknown> };
    };
    expect(Object.keys(document.paths)).toEqual(
      expect.arrayContaining(['/webhooks/platform', '/webhooks/platform/{tenant}', '/api/quarantine']),
    );
    for (const [, name] of JSON.stringify(document).matchAll(/"security":\[\{"(\w+)"/g)) {
      expect(document.components.securitySchemes).toHaveProperty(name!);
    }
    for (const [, name] of JSON.stringify(document).matchAll(/#\/components\/schemas\/(\w+)/g)) {
      expect(document.components.schemas).toHaveProperty(name!);
    }
  });
});
