import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort } from '@gondola/local-stack/free-port';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { callApi } from '@gondola/local-stack/testing/as-operator';
import { IngestBench } from './support/ingest-bench.ts';

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  const databaseUrl = `postgres://nobody:nobody@127.0.0.1:${await freePort()}/nowhere`;
  bench = await IngestBench.open('ops-away', {}, { databaseUrl });
  app = await bench.start({}, { inboxIsAway: true });
});

afterAll(async () => {
  await bench.close();
});

const CALLS: ReadonlyArray<readonly [string, object | undefined]> = [
  ['/api/notifications', undefined],
  ['/api/notifications/1', undefined],
  ['/api/quarantine', undefined],
  ['/api/quarantine/1/reprocess', {}],
  ['/api/quarantine/reprocess', { confirm: true }],
  ['/api/webhook-registration', undefined],
  ['/api/webhook-registration', { tenant: 'acme', url: 'http://127.0.0.1/webhooks/platform', confirm: false }],
  ['/api/erasures', undefined],
  ['/api/erasures', { tenant: 'acme', orderNumber: 1, confirm: true }],
];

describe('without PostgreSQL', () => {
  it.each(CALLS)('the operations API says so: %s %j', async (path, body) => {
    const answer = await callApi(app, path, body === undefined ? {} : { method: 'POST', body });
    expect(answer).toMatchObject({
      status: 503,
      body: { error: { code: 'DATABASE_AWAY', message: expect.stringContaining('PostgreSQL does not answer') } },
    });
  });

  it('the metrics are there, but for those that only it knows', async () => {
    const response = await fetch(`${app.url}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/^gondola_quarantine_open\{/m);
  });
});
