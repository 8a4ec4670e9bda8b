import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { asOperator } from '@gondola/local-stack/testing/as-operator';
import type { RunningApp } from '@gondola/service-kit/run/create-app';
import { deliver, envelope } from '../../test/support/deliver.ts';
import { IngestBench, PATIENT_INBOX } from '../../test/support/ingest-bench.ts';

let bench: IngestBench;
let app: RunningApp;

beforeAll(async () => {
  bench = await IngestBench.open('delivery-hours', PATIENT_INBOX);
  app = await bench.start();
});

afterAll(async () => {
  await bench.close();
});

async function get<T>(path: string): Promise<T> {
  return (await (await asOperator(`${app.url}/api/${path}`)).json()) as T;
}

interface Hour {
  readonly hour: string;
  readonly outcome: string;
  readonly deliveries: number;
}

const hours = async (query = ''): Promise<readonly Hour[]> =>
  (await get<{ hours: Hour[] }>(`deliveries/hours${query}`)).hours;

describe('deliveries by hour', () => {
  it('are counted by outcome, with those that came twice, and for 48 hours', async () => {
    await bench.rows(`INSERT INTO delivery_hours (hour, tenant, outcome, deliveries) VALUES
      (date_trunc('hour', now()) - interval '47 hours', 'acme', 'stored', 7), (now() - interval '60 hours', 'acme', 'stored', 9)`);
    const body = envelope({ data: { number: 1 } });
    for (const each of [body, body, body, '{']) await deliver(app, each);
    const all = async () => (await hours()).reduce((sum, { deliveries }) => sum + deliveries, 0);
    await waitFor(async () => (await all()) === 11, { describe: 'four deliveries beside the seven of before' });
    const counts = Map.groupBy(await hours('?tenant=acme'), ({ outcome }) => outcome);
    const sumOf = (outcome: string) => counts.get(outcome)?.reduce((sum, { deliveries }) => sum + deliveries, 0);
    expect([sumOf('stored'), sumOf('repeated'), sumOf('quarantined')]).toEqual([8, 2, 1]);
    expect(await hours('?tenant=bairro')).toEqual([]);
    expect(await bench.rows("SELECT 1 FROM delivery_hours WHERE hour < now() - interval '49 hours'")).toEqual([]);
  });

  it('stand beside what waits for Kafka', async () => {
    expect(await get('today')).toMatchObject({ queues: [], pauses: [], outbox: { parked: 0 } });
  });
});
