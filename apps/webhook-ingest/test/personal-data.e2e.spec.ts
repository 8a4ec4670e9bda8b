import { readdir } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { freePort } from '@gondola/local-stack/free-port';
import type { TopicReader } from '@gondola/local-stack/testing/topic-reader';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { canary, errorOfCanaries, orderOfCanaries, singing, userOfCanaries } from './support/canaries.ts';
import { type Delivery, deliver, envelope } from './support/deliver.ts';
import { BAIRRO, BAIRRO_TOKEN, CATALOG, IngestBench, ORDERS, USERS, PATIENT_INBOX } from './support/ingest-bench.ts';

const MAX_BODY_BYTES = 60_000;

let bench: IngestBench;
let app: RunningApp;
let topics: TopicReader;

beforeAll(async () => {
  bench = await IngestBench.open('personal', { ...PATIENT_INBOX, MAX_BODY_BYTES: String(MAX_BODY_BYTES) });
  app = await bench.start();
  topics = await bench.read(ORDERS, CATALOG, USERS);
  // One notification is published, so that each test finds canaries where they are allowed.
  await deliver(app, envelope(about('Order', 'Order_Updated', orderOfCanaries({ number: 9 }))));
  await topics.waitForRecords((seen) => seen.length > 0);
});

afterAll(async () => {
  await bench.close();
});

function about(relatedEntity: string, eventType: string, data: unknown): Record<string, unknown> {
  return { relatedEntity, eventType, data, [canary()]: canary() };
}

/** Adds a canary to every ignored header and to the query. */
function carryingCanaries(): Delivery {
  const names = ['user-agent', 'x-forwarded-for', 'x-request-id', 'referer', 'cookie', 'tracestate', 'baggage'];
  const odd = ['traceparent', 'content-type', canary()];
  return {
    path: `/webhooks/platform?${canary()}=${canary()}`,
    headers: Object.fromEntries([...names, ...odd].map((name) => [name, canary()])),
  };
}

/** Every row of every table of the app, without the bodies. */
async function columns(): Promise<string[]> {
  const tables = await bench.rows<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
  );
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['notifications', 'quarantine']));
  const rows = tables.map(({ name }) => bench.rows(`SELECT to_jsonb(t) - 'body' AS row FROM "${name}" AS t`));
  return (await Promise.all(rows)).flat().map((row) => JSON.stringify(row));
}

/** Everything shown to operators: all pages that need no id, and the metrics. */
async function pages({ url } = app): Promise<string[]> {
  const document = (await (await asOperator(`${url}/api/openapi.json`)).json()) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const lists = Object.entries(document.paths).flatMap(([path, methods]) =>
    'get' in methods && !path.includes('{') ? [path] : [],
  );
  expect(lists).toContain('/api/quarantine');
  const all = [...new Set([...lists, '/metrics', '/health/ready', '/health/live', '/api/info'])];
  return await Promise.all(all.map(async (path) => (await asOperator(`${url}${path}`)).text()));
}

async function expectSilence(answers: readonly string[]): Promise<void> {
  const records = topics.records().map(({ key, headers, topic }) => JSON.stringify({ key, headers, topic }));
  // The search finds canaries where they are allowed.
  expect(singing(topics.records().map(({ value }) => String(value)))).not.toEqual([]);
  const seen = [...bench.log, ...records, ...(await columns()), ...(await pages()), ...answers];
  expect(singing(seen)).toEqual([]);
}

describe('the personal data of a customer', () => {
  it('stand in values alone: in no log line, key, header, trace, column, metric, list or answer (rule 1)', async () => {
    const order = orderOfCanaries();
    const bodies = [
      envelope(about('Order', 'Order_Updated', orderOfCanaries({ number: 100_234 }))),
      envelope(about('Order', 'Order_Updated', order)),
      envelope({ ...about('Order', 'Order_CancelFailed', orderOfCanaries({ number: 7 })), error: errorOfCanaries() }),
      envelope({ ...about('User', 'Operation_Failed', userOfCanaries()), error: errorOfCanaries() }),
      envelope(about('User', 'User_Updated', userOfCanaries())),
      envelope(about('WarehouseSKU', 'WarehouseSKU_Updated', order)),
      envelope(
        about('ProductWithSKUs', 'ProductWithSKUs_Created', {
          product: { externalReference: '4711', name: canary(), error: errorOfCanaries() },
          skus: { failedSKUs: [{ externalReference: canary(), error: errorOfCanaries() }] },
        }),
      ),
      envelope(about('SKUPricing', 'SKUPricing_Updated', { skuId: 's', commercialPolicyId: 'c', note: canary() })),
      // Each of these goes into the quarantine, for a different reason.
      envelope(about(canary(), 'Basket_Filled', order)),
      envelope({ ...about('Order', 'Order_Updated', order), contractAccountId: canary() }),
      envelope({ ...about('Order', 'Order_Updated', order), operationId: { [canary()]: canary() } }),
      envelope({ ...about('Order', 'Order_Updated', order), operationId: canary().repeat(50) }),
      envelope(about('Order', 'Order_Updated', order)).slice(0, -9),
      canary(),
    ];
    const told = envelope({ ...about('User', 'User_Updated', userOfCanaries()), contractAccountId: BAIRRO });
    const answers = await Promise.all(bodies.map((body) => deliver(app, body, carryingCanaries())));
    answers.push(await deliver(app, told, { ...carryingCanaries(), authorization: BAIRRO_TOKEN }));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await topics.waitForRecords((seen) => seen.some(({ value }) => value?.toString() === told));
    await bench.everythingSent();
    expect(bench.log.length).toBeGreaterThan(bodies.length);
    await expectSilence(answers.map(({ text }) => text));
  });

  it('stand in no log line of a delivery that is refused', async () => {
    const body = envelope(about('Order', 'Order_Updated', orderOfCanaries({ number: 1 })));
    const refused = await Promise.all([
      deliver(app, body, { ...carryingCanaries(), authorization: canary() }),
      deliver(app, body, { ...carryingCanaries(), path: `/webhooks/platform/${canary()}` }),
      deliver(app, body, { path: `/${canary()}?${canary()}` }),
      deliver(app, body + canary().repeat(MAX_BODY_BYTES / 10), carryingCanaries()),
    ]);
    expect(refused.map(({ status }) => status)).toEqual([401, 401, 404, 413]);
    await expectSilence(refused.map(({ text }) => text));
  });

  it('stand in no log line though PostgreSQL refuses the row and shows it in its error', async () => {
    await bench.rows("ALTER TABLE notifications ADD CONSTRAINT refused CHECK (event_type <> 'Order_Refused')");
    const body = envelope(about('Order', 'Order_Refused', orderOfCanaries({ number: 2 })));
    const { status, text } = await deliver(app, body, carryingCanaries());
    expect(status).toBe(200);
    expect(bench.log.some((line) => line.includes('NOT_STORABLE'))).toBe(true);
    await expectSilence([text]);
  });

  it('stand in no name of the spool and no log line while PostgreSQL is away', async () => {
    const lines = bench.log.length;
    const folder = bench.spoolFolder();
    const nowhere = { DATABASE_URL: `postgres://gondola:x@127.0.0.1:${await freePort()}/gondola`, SPOOL_DIR: folder };
    const replica = await bench.start(nowhere, { inboxIsAway: true });
    const bodies = [
      envelope(about('Order', 'Order_Updated', orderOfCanaries({ number: 3 }))),
      envelope(about(canary(), 'Order_Updated', userOfCanaries())),
      canary(),
    ];
    for (const body of bodies) {
      expect(await deliver(replica, body, carryingCanaries())).toMatchObject({ status: 200, text: '' });
    }
    const names = await readdir(folder, { recursive: true });
    expect(names.some((name) => name.endsWith('.spool'))).toBe(true);
    expect(bench.log.length).toBeGreaterThan(lines);
    expect(singing([...names, ...bench.log, ...(await pages(replica))])).toEqual([]);
  });
});
