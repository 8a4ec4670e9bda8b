import { createKafka } from '@gondola/kafka/client/kafka-client';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { whenDrained } from '@gondola/lanes/testing/when-drained';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { NotificationSource } from '../../src/relay/notification-source.repository.ts';
import { ingestEntities, ingestMigrations } from '../../src/database.schema.ts';

/** Options that `npm run bench -- relay` passes as JSON in the first argument. */
interface InboxRelayOptions {
  readonly kafkaBrokers: string;
  readonly databaseUrl: string;
  readonly records: number;
  /** Value of every body, 6 kB long. */
  readonly body: string;
}

const SCHEMA = 'bench_inbox';

/** Fills an inbox as it is when Kafka comes back: nothing is published yet. */
const FILL = `
  INSERT INTO notifications (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, subject, body, traceparent, received_at)
  SELECT 'bench:' || n || ':Order_Updated:' || repeat('0', 64), 'bench', n::text, 'Order_Updated', 'Order', 'platform.notifications.orders.v1',
    'bench/order/' || n % 200, 'order/' || n % 200, convert_to($1, 'UTF8'), '00-00000000000000000000000000000000-0000000000000000-01', now()
  FROM generate_series(1, $2::int) AS n ORDER BY n`;

/**
 * A process that fills an inbox at each message, lets the active relay publish it, and answers with the duration in
 * milliseconds.
 */
await serve(JSON.parse(process.argv[2] ?? '') as InboxRelayOptions);

async function serve({ kafkaBrokers, databaseUrl, records, body }: InboxRelayOptions): Promise<void> {
  const logger = createLogger({ app: 'webhook-ingest', level: 'error' });
  const tables = { entities: ingestEntities, migrations: ingestMigrations };
  const database = new Database({ url: databaseUrl, schema: SCHEMA, ...tables, logger });
  await database.connect();
  const kafka = createKafka({ brokers: kafkaBrokers.split(','), ssl: false }, 'inbox-relay', logger);
  process.on('message', () => void round());
  process.on('disconnect', () => void database.close());

  async function round(): Promise<void> {
    await database.query('TRUNCATE notifications');
    const source = new NotificationSource('webhook-ingest');
    const active = whenDrained(source, 0);
    const lock = new AdvisoryRelayLock(database, source.name);
    const relay = new OutboxRelay({ source, lock, sender: new KafkaSender(kafka, ''), logger });
    await relay.start();
    await active;
    const drained = whenDrained(source, records);
    await database.query(FILL, [body, records]);
    const startedAt = performance.now();
    relay.wake();
    await drained;
    const elapsedMs = performance.now() - startedAt;
    await relay.stop();
    process.send?.(elapsedMs);
  }
}
