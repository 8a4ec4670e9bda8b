import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { BAIRRO, BAIRRO_TOKEN, IngestBench, ORDERS, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

interface Erasure {
  readonly id: string;
  readonly orderNumber: string;
  readonly notifications: number;
  readonly quarantined: number;
  readonly waiting: number;
  /** Null whenever Kafka does not answer in time. */
  readonly topics: readonly { readonly topic: string; readonly until: string }[] | null;
}

const PATH = '/api/erasures';

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('erase', { ...PATIENT_INBOX, RETENTION_EVERY_MS: '50' });
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
});

async function erase(orderNumber: number | string): Promise<Erasure> {
  const body = { tenant: 'acme', orderNumber, confirm: true };
  const answer = await callApi<Erasure>(app, PATH, { method: 'POST', body });
  expect(answer.status).toBe(200);
  return answer.body;
}

async function bodiesOf(number: number): Promise<number> {
  const [row] = await bench.rows<{ bodies: number }>(
    `SELECT count(body)::int AS bodies FROM notifications WHERE partition_key = 'acme/order/${number}'`,
  );
  return row!.bodies;
}

async function findErasure(id: string): Promise<Erasure | undefined> {
  const { body } = await callApi<{ entries: Erasure[] }>(app, `${PATH}?limit=200`);
  return body.entries.find((each) => each.id === id);
}

function isOfOrder22({ value }: { readonly value: Buffer | null }): boolean {
  return value?.includes('"number":22') ?? false;
}

describe('an erasure', () => {
  it('takes the content of all that was received about an order, and of nothing else', async () => {
    for (const status of [300, 400, 500]) await deliver(app, envelope({ data: { number: 11, status } }));
    await deliver(app, envelope({ data: { number: 12 } }));
    await deliver(app, envelope({ contractAccountId: BAIRRO, data: { number: 11 } }), {
      authorization: `Bearer ${BAIRRO_TOKEN}`,
    });
    await bench.everythingSent();
    expect(await erase('0011')).toMatchObject({ orderNumber: '11', notifications: 3, quarantined: 0, waiting: 0 });
    expect(await bodiesOf(11)).toBe(0);
    expect(await bodiesOf(12)).toBe(1);
    const [others] = await bench.rows(`SELECT count(body)::int AS bodies FROM notifications WHERE tenant = 'bairro'`);
    expect(others).toEqual({ bodies: 1 });
  });

  it('leaves the key, so that a repeat is recognised, and records the time of the erasure', async () => {
    const body = envelope({ data: { number: 13 } });
    await deliver(app, body);
    await bench.everythingSent();
    await erase(13);
    await deliver(app, body);
    const { entries } = (await callApi<{ entries: object[] }>(app, '/api/notifications?orderNumber=13')).body;
    expect(entries).toMatchObject([
      { bytes: Buffer.byteLength(body), bodyErasedAt: expect.any(String), state: 'sent' },
    ]);
    const { id } = entries[0] as { id: string };
    const shown = await callApi(app, `/api/notifications/${id}?body=true`);
    expect(shown).toMatchObject({ status: 200, body: { bodyBase64: null } });
  });

  it('counts notifications that are not published yet, and erases them afterwards', async () => {
    const insert = (key: string, topic: string, receivedAt: string) =>
      bench.rows(
        `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body,
           traceparent, received_at)
         VALUES ('${key}', 'acme', 'o', 'Order_Updated', 'Order', ${topic}, 'acme/order/14', 'order/14',
           convert_to('${envelope({ data: { number: 14 } })}', 'UTF8'), '00-${'1'.repeat(32)}-${'2'.repeat(16)}-01', ${receivedAt})`,
      );
    // The relay publishes it and cannot mark it as published.
    await bench.rows(
      `ALTER TABLE notifications ADD CONSTRAINT held CHECK (dedup_key <> 'waits' OR sent_at IS NULL) NOT VALID`,
    );
    await insert('waits', `'${ORDERS}'`, `now() - interval '1 minute'`);
    const { id, notifications, waiting } = await erase(14);
    expect({ notifications, waiting }).toEqual({ notifications: 0, waiting: 1 });
    expect(await bodiesOf(14)).toBe(1);
    await bench.rows('ALTER TABLE notifications DROP CONSTRAINT held');
    await waitFor(async () => (await findErasure(id))?.notifications === 1, {
      describe: 'what waited to be sent and then erased',
    });
    expect(await findErasure(id)).toMatchObject({ waiting: 0 });
    expect(await bodiesOf(14)).toBe(0);
  });

  it('takes what comes in later, and was received before, such as from a spool', async () => {
    const { id } = await erase(15);
    await bench.rows(
      `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, partition_key, subject, body, traceparent,
         received_at)
       VALUES ('spooled', 'acme', 'o', 'Order_Updated', 'Order', 'acme/order/15', 'order/15', '{}', '', now() - interval '1 hour')`,
    );
    await waitFor(async () => (await findErasure(id))?.notifications === 1, {
      describe: 'what was imported to be erased',
    });
    expect(await bodiesOf(15)).toBe(0);
  });

  it('takes what is received later, once it is sent, so that a late notification does not bring the content back', async () => {
    const { id } = await erase(20);
    await deliver(app, envelope({ data: { number: 20, status: 700 } }));
    await waitFor(async () => (await findErasure(id))?.notifications === 1, {
      describe: 'a late notification to be sent and erased',
    });
    expect(await bodiesOf(20)).toBe(0);
  });

  it('has what is received later published without personal data, as the notification that it is', async () => {
    const orders = await bench.read(ORDERS);
    await erase(22);
    const name = 'Cliente Teste 22';
    const late = envelope({ data: { number: 22, status: 800, user: { firstName: name } } });
    expect((await deliver(app, late)).status).toBe(200);
    const records = await orders.waitForRecords((all) => all.some(isOfOrder22));
    const { key, value } = records.find(isOfOrder22)!;
    const [stored] = await bench.rows(
      `SELECT dedup_key AS key FROM notifications WHERE partition_key = 'acme/order/22'`,
    );
    expect(stored).toEqual({ key: String(key) });
    const { contractAccountId, operationId, relatedEntity, eventType } = JSON.parse(late) as Record<string, unknown>;
    const texts = { operationId, contractAccountId, relatedEntity, eventType };
    expect(JSON.parse(String(value))).toEqual({ ...texts, data: { number: 22, status: 800 } });
  });

  it('answers until when the topic has copies', async () => {
    const topics = await waitFor(async () => (await erase(21)).topics, { describe: 'the settings of the topic' });
    expect(topics).toEqual([{ topic: expect.stringContaining(ORDERS), until: expect.any(String) }]);
    expect(Date.parse(topics[0]!.until)).toBeGreaterThan(Date.now() + 7 * 86_400_000);
  });

  it('covers quarantined bodies that can be attributed to the order, and discards their entries', async () => {
    await deliver(app, envelope({ contractAccountId: BAIRRO, data: { number: 16 } }));
    await deliver(app, envelope({ contractAccountId: BAIRRO, data: { number: 17 } }));
    expect(await erase(16)).toMatchObject({ notifications: 0, quarantined: 1 });
    const { body } = await callApi<{ entries: object[] }>(app, '/api/quarantine?reason=TENANT_MISMATCH');
    expect(body.entries).toMatchObject([
      { state: 'open', bodyErasedAt: null },
      { state: 'discarded', bodyErasedAt: expect.any(String), note: expect.stringContaining('Erased') },
    ]);
  });

  it('asked for again finds nothing more, and both are on record, with what they took', async () => {
    await deliver(app, envelope({ data: { number: 18 } }));
    await bench.everythingSent();
    const first = await erase(18);
    const second = await erase(18);
    expect([first.notifications, second.notifications]).toEqual([1, 0]);
    const page = async (more = '') =>
      (await callApi<{ entries: Erasure[]; next: string | null }>(app, `${PATH}?tenant=acme&limit=1${more}`)).body;
    expect(await page()).toMatchObject({ entries: [{ id: second.id }], next: second.id });
    expect(await page(`&before=${second.id}`)).toMatchObject({ entries: [{ id: first.id, notifications: 1 }] });
    expect(await (await fetch(`${app.url}/metrics`)).text()).toMatch(
      /gondola_forgotten_total\{tenant="acme",kind="notification",part="body",cause="erasure"\} \d/,
    );
  });

  it('of several at once counts each content once', async () => {
    for (const status of [300, 400]) await deliver(app, envelope({ data: { number: 19, status } }));
    await bench.everythingSent();
    const all = await Promise.all([erase(19), erase(19), erase(19), erase(19)]);
    const { body } = await callApi<{ entries: Erasure[] }>(app, `${PATH}?limit=4`);
    expect(body.entries.map(({ id }) => id)).toEqual(expect.arrayContaining(all.map(({ id }) => id)));
    expect(body.entries.reduce((sum, { notifications }) => sum + notifications, 0)).toBe(2);
  });

  it.each<[object, string]>([
    [{ tenant: 'acme', orderNumber: 1 }, 'confirm: true'],
    [{ tenant: 'acme', orderNumber: 1, confirm: false }, 'confirm: true'],
    [{ tenant: 'nobody', orderNumber: 1, confirm: true }, 'tenant must be one of'],
    [{ tenant: 'acme', orderNumber: 'x', confirm: true }, 'orderNumber must be'],
    [{ tenant: 'acme', order: 1, confirm: true }, 'There is no such field'],
  ])('is not done for %j', async (body, message) => {
    expect(await callApi(app, PATH, { method: 'POST', body })).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(message) } },
    });
  });
});
