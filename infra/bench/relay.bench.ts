import { randomBytes } from 'node:crypto';
import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { whenDrained } from '@gondola/lanes/testing/when-drained';
import { wireMessage } from '@gondola/kafka/testing/wire-message';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import { messagingMigrations } from '@gondola/lanes/messaging-tables';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { OutboxRelay } from '@gondola/lanes/outbox/outbox-relay';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { AdvisoryRelayLock } from '@gondola/lanes/outbox/relay-lock';
import { startWorker } from './bench-app.ts';
import { type BenchRoom, openRoom } from './bench-room.ts';
import { contestBench } from './bench.ts';

const RECORDS = 12_000;
const ENTITIES = 200;
const VALUE_BYTES = 6_000;
/** As many records of that size as the relay publishes at once. */
const BATCH = 150;
const EVENTS = 'erp.orders.events.v1';
const NOTIFICATIONS = 'platform.notifications.orders.v1';
const APP = 'bench';
const INBOX_RELAY = new URL('../../apps/webhook-ingest/test/bench/inbox-relay.main.ts', import.meta.url);

/**
 * Share of a bare producer's throughput that the relay reaches with records of 6 kB and acks of all, from existing
 * rows: those of the outbox, and those of webhook-ingest's inbox, where a published row is marked and not deleted.
 */
export const relayBench = contestBench('relay', async (servers) => {
  const room = await openRoom(servers, [EVENTS, NOTIFICATIONS], [...messagingMigrations]);
  // Text that does not compress.
  const body = Buffer.from(randomBytes(VALUE_BYTES * 0.75).toString('base64'));
  const inbox = startWorker(INBOX_RELAY, {
    ...servers,
    records: RECORDS,
    body: body.toString(),
  });
  const perSecond = (elapsedMs: number): number => (RECORDS * 1_000) / elapsedMs;
  const candidate = (name: string, run: () => Promise<number>) => ({ name, run: async () => perSecond(await run()) });
  const bareEvents = candidate('bare kafkajs producer', () => sendBare(room, (index) => eventOf(body, index)));
  const fromOutbox = candidate('outbox relay', () => relayOutbox(room, body));
  const bareNotifications = candidate('bare kafkajs producer, inbox', () =>
    sendBare(room, (index) => notificationOf(body, index)),
  );
  const fromInbox = candidate('inbox relay', () => inbox.milliseconds({}));
  return {
    name: 'relay of records of 6 kB',
    unit: 'records/s',
    candidates: [bareEvents, fromOutbox, bareNotifications, fromInbox],
    checks: [
      { of: fromOutbox, to: bareEvents, target: 0.9, atLeast: 0.9 },
      { of: fromInbox, to: bareNotifications, target: 0.9, atLeast: 0.8 },
    ],
    close: async () => {
      await inbox.stop();
      await room.close();
    },
  };
});

/**
 * The baseline: plain kafkajs, acks of all, one request at a time. Records are created for each request, because a
 * heap full of prepared ones would slow it down.
 */
async function sendBare({ producer }: BenchRoom, recordAt: (index: number) => OutRecord): Promise<number> {
  const { topic } = recordAt(0);
  const startedAt = performance.now();
  for (let start = 0; start < RECORDS; start += BATCH) {
    const messages = Array.from({ length: Math.min(BATCH, RECORDS - start) }, (_, index) =>
      wireMessage(recordAt(start + index), APP),
    );
    await producer.send({ topic, acks: -1, messages });
  }
  return performance.now() - startedAt;
}

/** Stores records, and returns the milliseconds that an active relay takes until none waits any more. */
async function relayOutbox({ database, kafka, logger }: BenchRoom, body: Buffer): Promise<number> {
  const source = new OutboxSource();
  const active = whenDrained(source, 0);
  const lock = new AdvisoryRelayLock(database, source.name);
  const relay = new OutboxRelay({ source, lock, sender: new KafkaSender(kafka, ''), logger });
  await relay.start();
  await active;
  const drained = whenDrained(source, RECORDS);
  const records = Array.from({ length: RECORDS }, (_, index) => eventOf(body, index));
  await database.transaction((tx) => new Outbox(APP).append(tx, records));
  const startedAt = performance.now();
  relay.wake();
  await drained;
  const elapsedMs = performance.now() - startedAt;
  await relay.stop();
  return elapsedMs;
}

function eventOf(value: Buffer, index: number): OutRecord {
  const id = `bench:order:${index}`;
  return {
    topic: EVENTS,
    key: id,
    id,
    type: 'OrderApproved',
    time: '2026-11-20T13:00:00.000Z',
    tenant: 'bench',
    partitionKey: `bench/order/${index % ENTITIES}`,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    value,
  };
}

/** A record as webhook-ingest publishes it. */
function notificationOf(value: Buffer, index: number): OutRecord {
  const id = `bench:${index}:Order_Updated:${'0'.repeat(64)}`;
  const subject = `order/${index % ENTITIES}`;
  return {
    ...eventOf(value, index),
    topic: NOTIFICATIONS,
    key: id,
    id,
    type: 'platform.Order_Updated',
    subject,
    partitionKey: `bench/${subject}`,
    extra: { ce_operationid: String(index), ce_relatedentity: 'Order' },
  };
}
