import { createKafka } from '@gondola/messaging/kafka/kafka-client';
import { KafkaSender } from '@gondola/messaging/kafka/kafka-sender';
import { OutboxRelay } from '@gondola/messaging/outbox/outbox-relay';
import { AdvisoryRelayLock } from '@gondola/messaging/outbox/relay-lock';
import type { RelayRow, RelayStep } from '@gondola/messaging/outbox/relay-source';
import { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { PoolClient } from 'pg';
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

/** The inbox, with a callback once all notifications are marked as published. */
class DrainedSource extends NotificationSource {
  readonly #onEmpty: () => void;

  constructor(onEmpty: () => void) {
    super('webhook-ingest');
    this.#onEmpty = onEmpty;
  }

  override async advance(connection: PoolClient, step: RelayStep): Promise<RelayRow[]> {
    const rows = await super.advance(connection, step);
    if (rows.length === 0 && step.underWay.length === 0) this.#onEmpty();
    return rows;
  }
}

/**
 * A process that fills an inbox at each message, lets the relay publish it, and answers with the duration in
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
    await database.query(FILL, [body, records]);
    const { promise: empty, resolve } = Promise.withResolvers<void>();
    const source = new DrainedSource(resolve);
    const lock = new AdvisoryRelayLock(database, source.name);
    const relay = new OutboxRelay({ source, lock, sender: new KafkaSender(kafka, ''), logger });
    const startedAt = performance.now();
    await relay.start();
    await empty;
    const elapsedMs = performance.now() - startedAt;
    await relay.stop();
    process.send?.(elapsedMs);
  }
}
