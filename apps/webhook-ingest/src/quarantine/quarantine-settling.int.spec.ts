import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { firstRecords } from '../../test/support/first-records.ts';
import { BAIRRO_TOKEN, IngestBench, ORDERS, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

interface Entry {
  readonly id: string;
  readonly reason: string;
  readonly state: string;
}

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('settle', PATIENT_INBOX);
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
});

async function list(query: string): Promise<readonly Entry[]> {
  return (await callApi<{ entries: Entry[] }>(app, `/api/quarantine?${query}`)).body.entries;
}

/** Delivers a body that is not understood and returns its entry: the newest, if this body is new. */
async function quarantined(body: string): Promise<Entry> {
  await deliver(app, body);
  return (await list('limit=1'))[0]!;
}

const post = (id: string, deed: 'reprocess' | 'discard', body?: unknown, operator?: string) => {
  const headers: Record<string, string> = operator === undefined ? {} : { 'x-gondola-operator': operator };
  return callApi<Record<string, unknown>>(app, `/api/quarantine/${id}/${deed}`, { method: 'POST', body, headers });
};

/** Stores bytes in the quarantine that today's rules read as a notification. */
async function fixed(body: string): Promise<Entry> {
  const entry = await quarantined(`not json ${body}`);
  await bench.rows(`UPDATE quarantine SET body = convert_to('${body}', 'UTF8') WHERE id = ${entry.id}`);
  return entry;
}

const reprocess = (body: object) => callApi(app, '/api/quarantine/reprocess', { method: 'POST', body });

/** Stores such bodies in the quarantine, all for the same reason. */
async function allFor(reason: string, bodies: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const body of bodies) ids.push((await fixed(body)).id);
  await bench.rows(`UPDATE quarantine SET reason = '${reason}' WHERE id IN (${ids.join(', ')})`);
  return ids;
}

describe('an entry of the quarantine', () => {
  it('that is understood by today’s rules becomes a notification, as it was received, once', async () => {
    const reader = await bench.read(ORDERS);
    const body = envelope({ data: { number: 41 } });
    const { id } = await fixed(body);
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: { outcome: 'stored' } });
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: { outcome: 'repeated' } });
    const times = `SELECT n.received_at = q.received_at AS same FROM notifications n, quarantine q
      WHERE n.partition_key = 'acme/order/41' AND q.id = ${id}`;
    expect(await bench.rows(times)).toEqual([{ same: true }]);
    const isTold = ({ value }: { value: Buffer | null }) => value?.toString() === body;
    const records = await reader.waitForRecords((found) => found.some(isTold));
    expect(firstRecords(records.filter(isTold))).toHaveLength(1);
    expect((await callApi<Entry>(app, `/api/quarantine/${id}`)).body).toMatchObject({
      state: 'reprocessed',
      settledAt: expect.any(String),
      note: null,
      actedBy: null,
    });
  });

  it('has the name of the operator who had it read again or discarded it', async () => {
    const read = await fixed(envelope({ data: { number: 45 } }));
    await post(read.id, 'reprocess', undefined, 'maria');
    const useless = await quarantined('{"discard":2');
    await post(useless.id, 'discard', { note: 'A test' }, 'jo%C3%A3o');
    await post(useless.id, 'discard', { note: 'Another' }, 'maria');
    expect((await callApi<Entry>(app, `/api/quarantine/${read.id}`)).body).toMatchObject({ actedBy: 'maria' });
    expect((await list('state=discarded&limit=1'))[0]).toMatchObject({ note: 'A test', actedBy: 'joão' });
  });

  it('whose notification arrived meanwhile is answered as repeated', async () => {
    const body = envelope({ data: { number: 42 } });
    const { id } = await fixed(body);
    await deliver(app, body);
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: { outcome: 'repeated' } });
    expect(await bench.rows(`SELECT 1 AS one FROM notifications WHERE partition_key = 'acme/order/42'`)).toHaveLength(
      1,
    );
  });

  it('that is still not understood stays, with the reason of today', async () => {
    const { id } = await fixed(envelope({ relatedEntity: 'Basket' }));
    const still = { outcome: 'still-quarantined', reason: 'ENTITY_UNKNOWN', detail: 'relatedEntity' };
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: still });
    expect((await list('reason=ENTITY_UNKNOWN'))[0]).toMatchObject({ id, state: 'open' });
  });

  it('that the inbox refuses stays, and the next one is not touched', async () => {
    await bench.rows("ALTER TABLE notifications ADD CONSTRAINT odd CHECK (event_type <> 'Order_Odd')");
    const { id } = await fixed(envelope({ eventType: 'Order_Odd' }));
    const still = { outcome: 'still-quarantined', reason: 'NOT_STORABLE', detail: '23514' };
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: still });
    await bench.rows('ALTER TABLE notifications DROP CONSTRAINT odd');
    expect(await post(id, 'reprocess')).toEqual({ status: 200, body: { outcome: 'stored' } });
  });

  it('read again by several at once becomes one notification', async () => {
    const { id } = await fixed(envelope({ data: { number: 43 } }));
    const answers = await Promise.all([1, 2, 3, 4].map(async () => post(id, 'reprocess')));
    const outcomes = answers.map(({ body }) => body['outcome']);
    expect(outcomes.filter((outcome) => outcome === 'stored')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'repeated')).toHaveLength(3);
  });

  it('is discarded with a note, which stays, and then is not read again', async () => {
    const { id } = await quarantined('{"discard":1');
    const note = 'Sent by a test of ours';
    expect(await post(id, 'discard', { note: ` ${note} ` })).toMatchObject({
      status: 200,
      body: { state: 'discarded', note },
    });
    expect(await post(id, 'discard', { note: 'Another' })).toMatchObject({ status: 200, body: { note } });
    expect(await post(id, 'reprocess')).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', message: expect.stringContaining('was discarded') } },
    });
    expect((await list('state=discarded&tenant=acme')).map((entry) => entry.id)).toContain(id);
  });

  it('that became a notification cannot be discarded', async () => {
    const { id } = await fixed(envelope({ data: { number: 44 } }));
    await post(id, 'reprocess');
    expect(await post(id, 'discard', { note: 'x' })).toMatchObject({
      status: 409,
      body: { error: { message: expect.stringContaining('became a notification') } },
    });
  });

  it.each<[string, unknown]>([
    ['no note', {}],
    ['no body', undefined],
    ['an empty one', { note: '  ' }],
    ['one that is no text', { note: 7 }],
    ['one that is too long', { note: 'x'.repeat(501) }],
    ['another field', { note: 'x', why: 'y' }],
  ])('is not discarded with %s', async (_, body) => {
    const { id } = await quarantined(`{"open":"${randomUUID()}"`);
    expect(await post(id, 'discard', body)).toMatchObject({ status: 400 });
    expect((await callApi<Entry>(app, `/api/quarantine/${id}`)).body.state).toBe('open');
  });

  it('that is not there is a 404 with a sentence', async () => {
    const none = { status: 404, body: { error: { message: expect.stringContaining('No entry of the quarantine') } } };
    expect(await callApi(app, '/api/quarantine/999999')).toMatchObject(none);
    expect(await post('999999', 'reprocess')).toMatchObject(none);
    expect(await post('x', 'discard', { note: 'x' })).toMatchObject(none);
  });

  it('shows its content where it is asked for, and that is counted', async () => {
    const { id } = await quarantined('{"e-mail":"cliente.teste.01@example.com"');
    expect((await callApi<object>(app, `/api/quarantine/${id}`)).body).not.toHaveProperty('bodyBase64');
    const { body } = await callApi<{ bodyBase64: string }>(app, `/api/quarantine/${id}?body=true`);
    expect(Buffer.from(body.bodyBase64, 'base64').toString()).toBe('{"e-mail":"cliente.teste.01@example.com"');
    const metrics = await (await fetch(`${app.url}/metrics`)).text();
    expect(metrics).toContain('gondola_bodies_shown_total{tenant="acme",kind="quarantine"} 1');
    const [line] = bench.log.filter((each) => each.includes('A stored body was shown'));
    expect(line).toContain(`"kind":"quarantine","tenant":"acme","quarantineId":"${id}"`);
    expect(line).toContain('"token":"OPERATIONS_TOKEN"');
  });

  it('is counted while it is open, by tenant and reason', async () => {
    const open = async () => {
      const metrics = await (await fetch(`${app.url}/metrics`)).text();
      return Number(/gondola_quarantine_open\{tenant="bairro",reason="NOT_JSON"\} (\d+)/.exec(metrics)?.[1] ?? 0);
    };
    await deliver(app, '{"bairro":1', { authorization: `Bearer ${BAIRRO_TOKEN}` });
    expect(await open()).toBe(1);
    const [entry] = await list('tenant=bairro&reason=NOT_JSON&state=open');
    await post(entry!.id, 'discard', { note: 'x' });
    expect(await open()).toBe(0);
  });
});

describe('open entries of the quarantine', () => {
  it('are read again by filter, page by page, the oldest first; those still not understood stay', async () => {
    const [first, second, known] = [51, 51, 52].map((number, index) => envelope({ data: { number, index } }));
    const ids = await allFor('LIMIT', [first!, envelope({ relatedEntity: 'Basket' }), second!, known!]);
    const other = await quarantined(`{"other":"${randomUUID()}"`);
    await deliver(app, known!);
    const filter = { tenant: 'acme', reason: 'LIMIT', confirm: true };
    expect(await reprocess({ ...filter, limit: 3 })).toEqual({
      status: 200,
      body: {
        stored: 2,
        repeated: 0,
        failed: [{ id: ids[1], reason: 'ENTITY_UNKNOWN', detail: 'relatedEntity' }],
        next: ids[2],
      },
    });
    expect(await reprocess({ ...filter, after: ids[2] })).toEqual({
      status: 200,
      body: { stored: 0, repeated: 1, failed: [], next: null },
    });
    const stored = await bench.rows<{ body: Buffer }>(
      `SELECT body FROM notifications WHERE partition_key = 'acme/order/51' ORDER BY id`,
    );
    expect(stored.map(({ body }) => body.toString())).toEqual([first, second]);
    expect((await callApi<Entry>(app, `/api/quarantine/${other.id}`)).body.state).toBe('open');
  });

  it('of a tenant that is not in the tenants file stay, with a sentence', async () => {
    const [id] = await allFor('NOT_STORABLE', [envelope({ data: { number: 53 } })]);
    await bench.rows(`UPDATE quarantine SET tenant = 'gone' WHERE id = ${id}`);
    expect(await reprocess({ tenant: 'gone', confirm: true })).toEqual({
      status: 200,
      body: {
        stored: 0,
        repeated: 0,
        failed: [{ id, reason: null, detail: expect.stringContaining('not in the tenants file') }],
        next: null,
      },
    });
  });

  it.each<[string, object]>([
    ['without confirmation', {}],
    ['for an unknown reason', { confirm: true, reason: 'ODD' }],
    ['of a tenant that is no text', { confirm: true, tenant: null }],
    ['none at a time', { confirm: true, limit: 0 }],
    ['too many at a time', { confirm: true, limit: 201 }],
    ['after what is no entry', { confirm: true, after: 'x' }],
    ['with another field', { confirm: true, state: 'open' }],
  ])('are not read again %s', async (_, body) => {
    const [id] = await allFor('LIMIT', [envelope({ data: { number: randomUUID() } })]);
    expect(await reprocess(body)).toMatchObject({ status: 400 });
    expect((await callApi<Entry>(app, `/api/quarantine/${id}`)).body.state).toBe('open');
    await post(id!, 'discard', { note: 'x' });
  });
});
