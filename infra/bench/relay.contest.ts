import { randomBytes } from 'node:crypto';
import { createKafka } from '@gondola/messaging/kafka-client';
import { KafkaSender } from '@gondola/messaging/kafka-sender';
import { messagingMigrations } from '@gondola/messaging/messaging-migrations';
import { Outbox } from '@gondola/messaging/outbox';
import { OutboxSource } from '@gondola/messaging/outbox-source';
import { encodeRecord, type OutRecord, toKafkaHeaders } from '@gondola/messaging/record-codec';
import { provisionTopics } from '@gondola/messaging/topic-provisioning';
import { Database } from '@gondola/service-kit/database';
import { createLogger } from '@gondola/service-kit/logger';
import type { Servers } from './bench.ts';
import type { Contest } from './contest.ts';
import { drain } from './drain.ts';

const RECORDS = 12_000;
const VALUE_BYTES = 6_000;
const ENTITIES = 200;
/** What the relay sends at once. */
const BARE_BATCH = 150;
const TOPIC = 'erp.orders.events.v1';

/** How much of a bare producer's throughput the outbox leaves: the same records of 6 kB, acks of all, from rows that are there already. */
export async function relayContest(servers: Servers): Promise<Contest> {
  const logger = createLogger({ app: 'bench', level: 'error' });
  const database = new Database({
    url: servers.databaseUrl,
    schema: 'bench_relay',
    migrations: messagingMigrations,
    logger,
  });
  await database.connect();
  const settings = { brokers: servers.kafkaBrokers.split(','), ssl: false, topicPrefix: 'bench-', partitions: 3 };
  const kafka = createKafka(settings, 'bench', logger);
  await provisionTopics({ kafka, prefix: 'bench-', partitions: 3, replicationFactor: -1, topics: [TOPIC] });
  const records = recordsOf(RECORDS);
  const producer = kafka.producer({ allowAutoTopicCreation: false, maxInFlightRequests: 1 });
  await producer.connect();
  const outbox = new Outbox('bench');
  const source = new OutboxSource();
  return {
    name: 'outbox relay, 6 kB records',
    unit: 'records/s',
    candidates: [
      {
        name: 'bare kafkajs producer',
        run: async () => {
          const messages = records.map((record) => {
            const { key, value, headers } = encodeRecord(record, 'bench');
            return { key, value, headers: toKafkaHeaders(headers) };
          });
          return perSecond(async () => {
            for (let start = 0; start < messages.length; start += BARE_BATCH) {
              await producer.send({
                topic: `bench-${TOPIC}`,
                acks: -1,
                messages: messages.slice(start, start + BARE_BATCH),
              });
            }
          });
        },
      },
      {
        name: 'outbox relay',
        run: async () => {
          await database.transaction((tx) => outbox.append(tx, records));
          const sender = new KafkaSender(kafka, 'bench-');
          return (RECORDS * 1_000) / (await drain({ database, source, sender, logger }));
        },
      },
    ],
    // What the relay reaches today is 0.45.
    checks: [{ of: 'outbox relay', to: 'bare kafkajs producer', target: 0.6, atLeast: 0.35 }],
    close: async () => {
      await producer.disconnect();
      await database.close();
    },
  };
}

async function perSecond(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return RECORDS / ((performance.now() - startedAt) / 1_000);
}

function recordsOf(count: number): OutRecord[] {
  const value = Buffer.from(randomBytes(VALUE_BYTES * 0.75).toString('base64'));
  return Array.from({ length: count }, (_, index) => {
    const id = `bench:order:${index}`;
    const partitionKey = `bench/order/${index % ENTITIES}`;
    return {
      topic: TOPIC,
      key: id,
      id,
      type: 'OrderApproved',
      time: '2026-11-20T13:00:00.000Z',
      tenant: 'bench',
      partitionKey,
      value,
    };
  });
}
