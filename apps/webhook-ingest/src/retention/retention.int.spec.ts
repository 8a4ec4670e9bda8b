import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Registry } from 'prom-client';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { Database } from '@gondola/service-kit/database/database';
import { UnsweptRows } from '@gondola/service-kit/run/unswept-rows';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { EraseReceived } from './erase-received.service.ts';
import { ForgetOld } from './forget-old.service.ts';
import { ContentMetrics } from '../inbox/content.metrics.ts';
import { ErasuresRepository } from './erasures.repository.ts';
import { ingestEntities, ingestMigrations } from '../database.schema.ts';
import { UserErasuresRepository } from '../inbox/user-erasures.repository.ts';
import { MirrorDeliveries } from '../mirror/mirror-deliveries.repository.ts';
import { RetentionRepository } from './retention.repository.ts';

const NOW = new Date('2026-11-20T12:00:00Z');
const TENANTS = [
  { id: 'acme', webhook: { retention: { bodyDays: 30, keyDays: 180 } } },
  { id: 'bairro', webhook: { retention: { bodyDays: 1, keyDays: 7 } } },
];
/** More rows than one statement takes. */
const MANY = 1_200;

let schema: TestSchema;
let database: Database;
let registry: Registry;
let unswept: UnsweptRows;

beforeAll(async () => {
  schema = await createTestSchema('retention');
  const tables = { entities: ingestEntities, migrations: ingestMigrations };
  database = new Database({ url: schema.url, schema: schema.schema, ...tables, queryTimeoutMs: ANSWER_LIMIT_MS });
  await database.connect();
});

afterAll(async () => {
  await database.close();
  await schema.drop();
});

beforeEach(async () => {
  await database.query('TRUNCATE notifications, quarantine, erasures');
});

/** No test of this file uses Kafka. */
const NO_KAFKA = { brokers: [], ssl: false, topicPrefix: '', partitions: 1, sessionMs: 10_000 };

const clock = { now: () => NOW.getTime() };

function forgetting(everyMs = 60_000): ForgetOld {
  registry = new Registry();
  const metrics = new ContentMetrics(registry);
  const logger = createLogger({ app: 'test', level: 'silent' });
  const erasures = new ErasuresRepository(database);
  const userErasures = new UserErasuresRepository(database);
  const erasing = new EraseReceived(erasures, userErasures, metrics, clock, { kafka: NO_KAFKA }, logger);
  const retention = new RetentionRepository(database);
  return new ForgetOld(
    retention,
    erasing,
    erasures,
    userErasures,
    new MirrorDeliveries(database),
    metrics,
    clock,
    (unswept = new UnsweptRows(database, registry, clock)),
    { tenants: TENANTS, mirrors: new Map(), retention: { everyMs } },
    logger,
  );
}

interface Row {
  readonly key: string;
  readonly tenant?: string;
  readonly days: number;
  readonly state?: 'sent' | 'waiting' | 'parked' | 'untold';
}

async function stored({ key, tenant = 'acme', days, state = 'sent' }: Row): Promise<void> {
  await database.query(
    `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent,
       received_at, sent_at, parked_at)
     VALUES ($1, $2, 'o', 'e', 'Order', $3, 'p', 'body', '', $4::timestamptz - $5 * interval '1 day',
       CASE WHEN $6 = 'sent' THEN now() END, CASE WHEN $6 = 'parked' THEN now() END)`,
    [key, tenant, state === 'untold' ? null : 't', NOW, days, state],
  );
}

async function quarantined({ key, days }: Row, state: 'open' | 'discarded'): Promise<void> {
  await database.query(
    `INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at, state)
     VALUES ($1, 'acme', 'NOT_JSON', '', 'body', '', $2::timestamptz - $3 * interval '1 day', $4)`,
    [key, NOW, days, state],
  );
}

async function daysDue(): Promise<Record<string, number>> {
  const shown = (await registry.metrics()).matchAll(/^gondola_oldest_unswept_age_seconds\{table="(\w+)"\} (.*)$/gm);
  return Object.fromEntries([...shown].map(([, table, seconds]) => [table!, Number(seconds) / 86_400]));
}

/** `key` for a row with its body, `(key)` for one without. */
async function left(table: 'notifications' | 'quarantine'): Promise<string[]> {
  const { rows } = await database.query<{ key: string }>(
    `SELECT CASE WHEN body IS NULL THEN '(' || dedup_key || ')' ELSE dedup_key END AS key FROM ${table} ORDER BY id`,
  );
  return rows.map(({ key }) => key);
}

describe('what is old', () => {
  it('loses its body first and its key later, each tenant’s in its own time', async () => {
    await stored({ key: 'fresh', days: 29 });
    await stored({ key: 'old', days: 31 });
    await stored({ key: 'very old', days: 181 });
    await stored({ key: 'untold', days: 31, state: 'untold' });
    await stored({ key: 'b-fresh', tenant: 'bairro', days: 0.5 });
    await stored({ key: 'b-old', tenant: 'bairro', days: 2 });
    await stored({ key: 'b-very old', tenant: 'bairro', days: 8 });
    await stored({ key: 'nobody’s', tenant: 'gone', days: 999 });
    await forgetting().run();
    expect(await left('notifications')).toEqual(['fresh', '(old)', '(untold)', 'b-fresh', '(b-old)', 'nobody’s']);
  });

  it('but was not sent, or was refused by Kafka, stays whole however old it is (guarantee 1)', async () => {
    await stored({ key: 'waits', days: 999, state: 'waiting' });
    await stored({ key: 'parked', days: 999, state: 'parked' });
    await forgetting().run();
    expect(await left('notifications')).toEqual(['waits', 'parked']);
  });

  it('and still there is shown with the time since the oldest part had to go', async () => {
    const forgetOld = forgetting();
    await stored({ key: 'waits', days: 999, state: 'waiting' });
    await stored({ key: 'old', days: 31 });
    await stored({ key: 'b-old', tenant: 'bairro', days: 3 });
    await quarantined({ key: 'open', days: 999 }, 'open');
    await quarantined({ key: 'closed', days: 34 }, 'discarded');
    await unswept.read();
    expect(await daysDue()).toEqual({ notifications: 2, quarantine: 4 });
    await forgetOld.run();
    await unswept.read();
    expect(await daysDue()).toEqual({ notifications: 0, quarantine: 0 });
  });

  it('in quarantine is deleted after it is closed, and never while it is open', async () => {
    await quarantined({ key: 'open', days: 999 }, 'open');
    await quarantined({ key: 'fresh', days: 29 }, 'discarded');
    await quarantined({ key: 'old', days: 31 }, 'discarded');
    await quarantined({ key: 'very old', days: 181 }, 'discarded');
    await forgetting().run();
    expect(await left('quarantine')).toEqual(['open', 'fresh', '(old)']);
  });

  it('is deleted batch by batch, and the metrics count it', async () => {
    await database.query(
      `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent,
         received_at, sent_at)
       SELECT 'k' || n, 'acme', 'o', 'e', 'Order', 't', 'p', 'body', '', $1::timestamptz - interval '31 days', now()
       FROM generate_series(1, ${MANY}) AS n`,
      [NOW],
    );
    await forgetting().run();
    const { rows } = await database.query(
      'SELECT count(*)::int AS rows, count(body)::int AS bodies FROM notifications',
    );
    expect(rows).toEqual([{ rows: MANY, bodies: 0 }]);
    const metrics = await registry.metrics();
    expect(metrics).toContain(
      `gondola_forgotten_total{tenant="acme",kind="notification",part="body",cause="retention"} ${MANY}`,
    );
    expect(metrics).toMatch(/gondola_retention_last_run_timestamp_seconds [1-9]/);
  });

  it('keeps the request to erase an order until that is old and no notification of the order is left', async () => {
    const requested = (order: string, days: number) =>
      database.query(
        `INSERT INTO erasures (tenant, order_number, partition_key, subject, requested_at)
         VALUES ('bairro', $1, 'bairro/order/' || $1, 'order/' || $1, $2::timestamptz - $3 * interval '1 day')`,
        [order, NOW, days],
      );
    await requested('1', 373);
    await requested('2', 371);
    await requested('3', 373);
    await database.query(
      `INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent,
         received_at, sent_at) VALUES ('late', 'bairro', 'o', 'e', 'Order', 't', 'bairro/order/3', 'body', '', $1, now())`,
      [NOW],
    );
    await forgetting().run();
    const { rows } = await database.query('SELECT order_number AS order FROM erasures ORDER BY id');
    expect(rows).toEqual([{ order: '2' }, { order: '3' }]);
  });

  it('is deleted automatically and repeatedly until the app stops, also by several replicas', async () => {
    const replicas = [forgetting(10), forgetting(10), forgetting(10)];
    const runs = replicas.map((replica) => jest.spyOn(replica, 'run'));
    for (const replica of replicas) await replica.start();
    for (const key of ['one', 'two']) {
      await stored({ key, days: 31 });
      await waitFor(async () => (await left('notifications')).includes(`(${key})`), {
        describe: `${key} to be erased`,
      });
    }
    for (const replica of replicas) await replica.stop();
    // A stop waits for a run that hangs two seconds at most.
    await Promise.allSettled(runs.flatMap(({ mock }) => mock.results.map(({ value }) => value as Promise<void>)));
    await stored({ key: 'three', days: 31 });
    expect(await left('notifications')).toEqual(['(one)', '(two)', 'three']);
  });
});
