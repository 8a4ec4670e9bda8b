import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { Database } from '@gondola/service-kit/database/database';

import { Lanes } from '@gondola/lanes/lanes/lanes';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { insertCommands, ORDERS, type QueuedCommand } from '@gondola/lanes/testing/command-life';
import { registerLaneMetrics, registerOpenMetric, registerRelayMetrics } from './queue-metrics.ts';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { wakeNow } from '@gondola/lanes/testing/lane-invariants';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { eventOf, publish } from '@gondola/lanes/testing/relay-invariants';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';

let test: TestDatabase;

beforeAll(async () => {
  test = await openTestDatabase('queue_metrics');
});

afterAll(async () => {
  await test.close();
});

/** Metrics of an app on this database, whose relay is not started. */
function metricsOf(database: Database): Registry {
  const registry = new Registry();
  const source = new OutboxSource();
  const relay = new OutboxRelay({
    source,
    lock: new AdvisoryRelayLock(database, source.name),
    sender: {
      send: async () => ({ places: [], refusals: new Map() }),
      sentSince: async () => null,
      close: async () => {},
    },
    logger: quietLogger(),
  });
  registerRelayMetrics(registry, database, relay);
  registerLaneMetrics(registry, database);
  registerOpenMetric(registry, database);
  return registry;
}

function command(tenant: string, kind: string, commandId: string, name: string): QueuedCommand {
  return { lane: { tenant, kind, identity: commandId }, topic: ORDERS, commandId, command: name };
}

function samplesOf(text: string): string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
}

describe('the metrics of outbox, relay and lanes', () => {
  it('count waiting records and lanes, and no finished ones', async () => {
    const registry = metricsOf(test.database);
    const lanes = new Lanes(test.database);
    await publish(test.database, eventOf('1', 1), eventOf('1', 2));
    await test.database.query(`UPDATE outbox SET created_at = created_at - interval '1 hour'`);
    await test.database.query(`UPDATE outbox SET parked_at = now(), parked_reason = 'X' WHERE seq = 1`);
    await wakeNow({ database: test.database, lanes }, { tenant: 'acme', kind: 'product', identity: '4711' });
    const waiting = await registry.metrics();
    expect(samplesOf(waiting)).toEqual(
      expect.arrayContaining([
        'gondola_outbox_records{source="outbox"} 1',
        'gondola_outbox_parked_records{source="outbox"} 1',
        'gondola_relay_active{source="outbox"} 0',
        'gondola_relay_comparisons_cut_total{source="outbox"} 0',
        'gondola_lanes_ready{tenant="acme",kind="product"} 1',
      ]),
    );
    expect(waiting).toMatch(/gondola_outbox_oldest_age_seconds\{source="outbox"\} 36\d\d(\.\d+)?\n/);
    await lanes.claim({ tenant: 'acme', kind: 'product', limit: 1, leaseMs: 60_000 });
    await test.database.query('TRUNCATE outbox');
    const later = await registry.metrics();
    expect(samplesOf(later)).toContain('gondola_outbox_records{source="outbox"} 0');
    expect(later).not.toContain('kind="product"');
  });

  it('show the age of the oldest command without an outcome, by tenant and kind', async () => {
    await insertCommands(test.database, [
      command('acme', 'order', 'c-1', 'Ship'),
      command('acme', 'order', 'c-2', 'CancelOrder'),
      command('acme', 'sku', 'c-3', 'PublishSkuImages'),
      command('bairro', 'order', 'c-4', 'Ship'),
      command('bairro', 'order', 'c-5', 'Ship'),
    ]);
    const ages = { 'c-1': 100, 'c-2': 200, 'c-3': 300, 'c-4': 400, 'c-5': 500 };
    await test.database.query(
      `UPDATE commands SET received_at = now() - seconds::integer * interval '1 second'
       FROM json_each_text($1) AS age (id, seconds) WHERE age.id = command_id`,
      [JSON.stringify(ages)],
    );
    await test.database.query(
      `UPDATE commands SET state = 'done', outcome = 'applied', result_id = 'r', finished_at = now() WHERE command_id = 'c-5'`,
    );
    const shown = (await metricsOf(test.database).metrics()).matchAll(
      /^gondola_open_oldest_age_seconds\{(.*)\} (.*)$/gm,
    );
    expect(Object.fromEntries([...shown].map(([, labels, age]) => [labels, Math.floor(Number(age) / 100)]))).toEqual({
      'tenant="acme",kind="order"': 2,
      'tenant="acme",kind="sku"': 3,
      'tenant="bairro",kind="order"': 4,
    });
  });

  it('omit values of an unreachable database, and have the rest', async () => {
    const away = new Database({ url: test.url, schema: test.schema, migrations: [] });
    const samples = samplesOf(await metricsOf(away).metrics());
    expect(samples).toEqual([
      'gondola_relay_active{source="outbox"} 0',
      'gondola_relay_comparisons_cut_total{source="outbox"} 0',
    ]);
  });
});
