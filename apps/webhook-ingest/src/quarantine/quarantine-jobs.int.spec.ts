import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import { IMPOSSIBLE_TIMES, POSSIBLE_TIMES } from '@gondola/service-kit/testing/request-times';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { envelope } from '../../test/support/deliver.ts';
import { IngestBench, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

const ROWS = 12_000;

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('quarantine-jobs', PATIENT_INBOX);
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
});

beforeEach(async () => {
  await bench.rows('TRUNCATE quarantine, bulk_jobs');
});

async function quarantine(key: string, reason: string, body: Buffer): Promise<void> {
  await bench.database.query(
    `INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at)
     VALUES ($1, 'acme', $2, 'relatedEntity', $3, '', now())`,
    [key, reason, body],
  );
}

async function ask<T>(path: string, body?: object): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-gondola-operator': 'maria' };
  const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
  const answer = await asOperator(`${app.url}/api/${path}`, init);
  expect(answer.ok).toBe(true);
  return (await answer.json()) as T;
}

async function countOf(times: object): Promise<number> {
  return (await ask<{ count: number }>('jobs/preview', { action: 'discard', ...times })).count;
}

interface Job {
  readonly id: string;
  readonly state: string;
}

async function finished(body: object): Promise<Job> {
  const { id } = await ask<Job>('jobs', { ...body, confirm: true });
  const job = (): Promise<Job> => ask<Job>(`jobs/${id}`);
  await waitFor(async () => (await job()).state === 'finished', { describe: `job ${id}` });
  return job();
}

describe('a job on the quarantine', () => {
  it('reads what matches again, and counts what stays', async () => {
    const body = Buffer.from(envelope({ eventType: 'Order_Updated' }));
    await quarantine('good', 'NOT_STORABLE', body);
    await quarantine('bad', 'NOT_STORABLE', Buffer.from('{'));
    await quarantine('other', 'ENTITY_UNKNOWN', body);
    const filter = { action: 'reprocess', tenant: 'acme', reason: 'NOT_STORABLE' };
    expect(await ask('jobs/preview', filter)).toEqual({ count: 2, isMore: false });
    expect(await finished(filter)).toMatchObject({ done: 1, failed: 1, expected: { count: 2 } });
    const states = await bench.rows('SELECT dedup_key AS key, state FROM quarantine ORDER BY id');
    expect(states).toEqual([
      { key: 'good', state: 'reprocessed' },
      { key: 'bad', state: 'open' },
      { key: 'other', state: 'open' },
    ]);
    expect(await finished({ action: 'discard', note: 'a test' })).toMatchObject({ done: 2, failed: 0 });
    const acted = await bench.rows('SELECT state, acted_by FROM quarantine ORDER BY id');
    expect(acted.map(({ state, acted_by: by }) => [state, by])).toEqual([
      ['reprocessed', 'maria'],
      ['discarded', 'maria'],
      ['discarded', 'maria'],
    ]);
  });

  it.each(['from', 'to'])('takes each possible time as %s, and refuses the others with 400', async (name) => {
    const headers = { 'content-type': 'application/json' };
    for (const time of [...POSSIBLE_TIMES, ...IMPOSSIBLE_TIMES]) {
      const body = JSON.stringify({ action: 'discard', [name]: time });
      const { status } = await asOperator(`${app.url}/api/jobs/preview`, { method: 'POST', headers, body });
      expect([time, status]).toEqual([time, POSSIBLE_TIMES.includes(time) ? 200 : 400]);
    }
  });

  it('takes rows from a time on and before another, with their offsets', async () => {
    await quarantine('one', 'NOT_JSON', Buffer.from('{'));
    await bench.rows("UPDATE quarantine SET received_at = '2026-11-26T08:00:00Z'");
    expect(await countOf({ from: '2026-11-26T05:00:00-03:00', to: '2026-11-26T22:00:00.000001+14:00' })).toBe(1);
    expect(await countOf({ from: '2026-11-26T05:00:00.000001-03:00' })).toBe(0);
    expect(await countOf({ to: '2026-11-26T05:00:00-03:00' })).toBe(0);
  });

  it('counts a few thousand at most, and groups them by an index', async () => {
    await bench.rows(`INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at)
      SELECT n::text, CASE n WHEN 1 THEN 'bairro' ELSE 'acme' END, 'NOT_JSON', 'not-json', 'x', '', now()
      FROM generate_series(1, ${ROWS}) AS n`);
    expect(await ask('jobs/preview', { action: 'discard', tenant: 'acme' })).toEqual({ count: 10_000, isMore: true });
    expect(await ask('jobs/preview', { action: 'discard', topic: 'catalog.skus.v1' })).toMatchObject({ count: 0 });
    expect(await ask('quarantine/groups')).toMatchObject({
      groups: [
        { tenant: 'acme', reason: 'NOT_JSON', detail: 'not-json', count: 10_000, isMore: true },
        { tenant: 'bairro', reason: 'NOT_JSON', count: 1, isMore: false, oldestAt: expect.any(String) },
      ],
    });
    expect(await ask('quarantine/groups?tenant=bairro')).toMatchObject({ groups: [{ tenant: 'bairro' }] });
    await bench.rows('ANALYZE quarantine');
    const causes = `SELECT received_at FROM quarantine WHERE state = 'open'
      AND (tenant, reason, detail) = ('acme', 'NOT_JSON', 'not-json') ORDER BY received_at LIMIT 1`;
    const waiting =
      "SELECT id FROM quarantine WHERE state = 'open' AND tenant = 'acme' AND id > 7 ORDER BY id LIMIT 50";
    const usedBy = async (query: string): Promise<string> => JSON.stringify(await bench.rows(`EXPLAIN ${query}`));
    // PostgreSQL may use no index of a table that changed until every older transaction on the server has ended.
    await waitFor(async () => (await usedBy(causes)).includes('quarantine_causes'), { describe: 'quarantine_causes' });
    await waitFor(async () => (await usedBy(waiting)).includes('quarantine_waiting'), {
      describe: 'quarantine_waiting',
    });
  });
});
