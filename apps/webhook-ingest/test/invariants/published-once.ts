import { strict as assert } from 'node:assert';
import { createKafka } from '@gondola/kafka/client/kafka-client';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import type { RelayLock } from '@gondola/lanes/outbox/relay-lock';
import type { RelaySource } from '@gondola/lanes/outbox/relay-source';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Database } from '@gondola/service-kit/database/database';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { fullTopicName } from '@gondola/shared/topics/topics';
import { NotificationSource } from '../../src/relay/notification-source.repository.ts';
import { type IngestBench, ORDERS } from '../support/ingest-bench.ts';
import { readTold } from '../load/read-published.ts';
import { repeatsIn } from '../load/published-as-sent.ts';

const RELAYS = 2;
/** A send that takes longer is repeated, and is then no undisturbed one. */
const SEND_MS = 120_000;
const NOTIFICATIONS = 20;

const STORE = `
  INSERT INTO notifications
    (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent, received_at)
  SELECT 'key-' || n, 'acme', 'operation-' || n, 'Order_Updated', 'Order', '${ORDERS}', 'acme/order/1', convert_to(n::text, 'UTF8'), '', now()
  FROM generate_series(1, ${NOTIFICATIONS}) AS n`;

/**
 * Two undisturbed relays over one inbox publish its notifications once. Neither publishes before each has either
 * read the next rows or found the lock taken, so two relays without a lock certainly read the same rows. `bench`
 * has the tables and topics.
 */
export async function eachIsToldOnce(database: Database, bench: IngestBench, lock: RelayLock): Promise<void> {
  await database.query(STORE);
  const ready = new Set<number>();
  const relays = Array.from({ length: RELAYS }, (_, relay) =>
    gatedRelay(bench, lock, async (isGated) => {
      ready.add(relay);
      if (isGated) await waitFor(() => ready.size === RELAYS, { describe: 'both relays' });
    }),
  );
  try {
    await Promise.all(relays.map(async (relay) => relay.start()));
    await waitFor(() => ready.size === RELAYS, { describe: 'both relays' });
    await bench.everythingSent();
  } finally {
    await Promise.all(relays.map(async (relay) => relay.stop()));
  }
  const told = await readTold(bench.env['KAFKA_BROKERS'] ?? '', [fullTopicName(bench.prefix, ORDERS)]);
  assert.equal(new Set(told.map(({ id }) => id)).size, NOTIFICATIONS, 'Not every notification was told');
  assert.equal(repeatsIn(told), 0, 'Notifications were told twice though nothing had failed');
}

/** Calls `gate` when the lock is taken, and before it publishes. */
function gatedRelay(bench: IngestBench, lock: RelayLock, gate: (isGated: boolean) => Promise<void>): OutboxRelay {
  const logger = createLogger({ app: 'webhook-ingest', level: 'silent' });
  const kafka = createKafka({ brokers: [bench.env['KAFKA_BROKERS'] ?? ''], ssl: false }, 'published-once', logger);
  const sender = new KafkaSender(kafka, bench.prefix, SEND_MS);
  const source: RelaySource = new NotificationSource('webhook-ingest');
  return new OutboxRelay({
    source,
    logger,
    pollMs: 10,
    standbyMs: 10,
    lock: {
      tell: () => lock.tell(),
      tryAcquire: async (onTold) => {
        const held = await lock.tryAcquire(onTold);
        if (held === null) await gate(false);
        return held;
      },
    },
    sender: {
      send: async (records) => {
        await gate(true);
        return await sender.send(records);
      },
      sentSince: async (...of) => sender.sentSince(...of),
      close: async () => sender.close(),
    },
  });
}
