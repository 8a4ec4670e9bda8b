import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Registry } from 'prom-client';

import { Database } from '@gondola/service-kit/database/database';

import { Lanes } from './lanes/lanes.ts';
import { OutboxRelay } from './outbox/outbox-relay.ts';
import { OutboxSource } from './outbox/outbox-source.ts';
import { registerLaneMetrics, registerRelayMetrics } from './queue-metrics.ts';
import { AdvisoryRelayLock } from './outbox/relay-lock.ts';
import { wakeNow } from './testing/lane-invariants.ts';
import { quietLogger } from './testing/quiet-logger.ts';
import { eventOf, publish } from './testing/relay-invariants.ts';
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts';

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
    sender: { send: async () => ({ kind: 'sent' }), close: async () => {} },
    logger: quietLogger(),
  });
  registerRelayMetrics(registry, database, relay);
  registerLaneMetrics(registry, database);
  return registry;
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

  it('omit values of an unreachable database, and have the rest', async () => {
    const away = new Database({ url: test.url, schema: test.schema, migrations: [] });
    const samples = samplesOf(await metricsOf(away).metrics());
    expect(samples).toEqual(['gondola_relay_active{source="outbox"} 0']);
  });
});
