import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { BAIRRO, IngestBench, ORDERS, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('quarantine', PATIENT_INBOX);
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
});

async function storedRows(): Promise<number> {
  const [row] = await bench.rows<{ rows: number }>(
    'SELECT ((SELECT count(*) FROM notifications) + (SELECT count(*) FROM quarantine))::int AS rows',
  );
  return row!.rows;
}

interface Entry {
  readonly reason: string;
  readonly detail: string;
  readonly bytes: number;
}

async function quarantine(query = ''): Promise<{ entries: Entry[]; next: string | null }> {
  return (await (await asOperator(`${app.url}/api/quarantine${query}`)).json()) as {
    entries: Entry[];
    next: string | null;
  };
}

describe('what is not understood', () => {
  it.each([
    ['NOT_JSON', 'not-json', '{"operationId":'],
    ['NOT_JSON', 'not-utf8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['NOT_JSON', 'not-an-object', '[1,2]'],
    ['NOT_JSON', 'too-deep', '['.repeat(2_000)],
    ['NOT_JSON', 'not-json', ''],
    ['FIELD_REQUIRED', 'operationId', envelope({ operationId: undefined })],
    ['FIELD_TYPE', 'operationId', envelope({ operationId: { a: 1 } })],
    ['LIMIT', 'eventType', envelope({ eventType: '\u9fff'.repeat(300) })],
    ['ENTITY_UNKNOWN', 'relatedEntity', envelope({ relatedEntity: 'Basket' })],
    ['TENANT_MISMATCH', 'contractAccountId', envelope({ contractAccountId: BAIRRO })],
  ])('is kept in quarantine, shown and answered 200: %s %s (rules 3, 4)', async (reason, detail, body) => {
    const rows = await storedRows();
    expect(await deliver(app, body)).toMatchObject({ status: 200 });
    expect(await deliver(app, body)).toMatchObject({ status: 200 });
    const [newest] = (await quarantine()).entries;
    expect(newest).toMatchObject({ tenant: 'acme', reason, detail, bytes: Buffer.from(body as string).length });
    expect(await storedRows()).toBe(rows + 1);
    const [kept] = await bench.rows<{ body: Buffer }>('SELECT body FROM quarantine ORDER BY id DESC LIMIT 1');
    expect(kept!.body).toEqual(Buffer.from(body as string));
  });

  it('is listed page by page', async () => {
    for (let page = 1; page <= 5; page += 1) await deliver(app, `{"page":${page}`);
    const all = (await quarantine('?limit=200')).entries;
    const first = await quarantine('?limit=4');
    const second = await quarantine(`?limit=200&before=${first.next}`);
    expect([...first.entries, ...second.entries]).toEqual(all);
    expect(second.next).toBeNull();
  });

  it('by the inbox alone is kept in quarantine too, and never answered 5xx (rule 4)', async () => {
    await bench.rows("ALTER TABLE notifications ADD CONSTRAINT odd CHECK (event_type <> 'Order_Odd')");
    expect(await deliver(app, envelope({ eventType: 'Order_Odd' }))).toMatchObject({ status: 200 });
    expect((await quarantine()).entries[0]).toMatchObject({ reason: 'NOT_STORABLE', detail: '23514' });
  });

  it('but an unknown event name of a known entity is published (rule 4)', async () => {
    const { entries } = await quarantine();
    expect(await deliver(app, envelope({ eventType: 'Order_Teleported' }))).toMatchObject({ status: 200 });
    expect(await quarantine()).toMatchObject({ entries });
    expect(await bench.rows("SELECT topic FROM notifications WHERE event_type = 'Order_Teleported'")).toEqual([
      { topic: ORDERS },
    ]);
  });
});
