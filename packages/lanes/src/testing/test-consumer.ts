import type { Consumer, ConsumerConfig, Kafka } from 'kafkajs';
import { Registry } from 'prom-client';

import { uniquePrefix } from '@gondola/local-stack/test-stack';
import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { notAnObject } from '@gondola/shared/results/unreadable-reason';
import type { TopicName } from '@gondola/shared/topics/topics';

import type { BatchIntake, Decoded } from '../intake/batch-intake.ts';
import type { ConsumerTimings } from '@gondola/kafka/server/consumer-timings';
import type { DeadLetters } from '../dead-letters/dead-letters.ts';
import { KafkaBatchServer } from '@gondola/kafka/server/kafka-batch-server';
import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import type { InRecord } from '@gondola/kafka/records/record-codec';
import type { RecordBatch } from '@gondola/kafka/server/topic-handler';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { testIntake } from './test-intake.ts';
import type { TestKafka } from '@gondola/kafka/testing/test-kafka';

export const TEST_APP = 'order-command-handler';

/**
 * Short, so that tests do not wait long; but a member that a busy machine suspends stays in its group, and its records
 * are consumed once.
 */
export const TEST_TIMINGS: Partial<ConsumerTimings> = {
  sessionMs: 30_000,
  heartbeatMs: 100,
  rebalanceMs: 60_000,
  fetchWaitMs: 100,
  pause: { baseMs: 50, maxMs: 400 },
};

export interface TestConsumerOptions {
  readonly kafka: TestKafka;
  readonly database: Database;
  readonly reads?: readonly TopicName[];
  readonly urgent?: readonly TopicName[];
  /** Group of the member; by default a group of its own. */
  readonly group?: string;
  readonly timings?: Partial<ConsumerTimings>;
  readonly logger?: Logger;
  /** Replaces storing facts; `store` does the default. */
  readonly handle?: (batch: RecordBatch, store: (batch: RecordBatch) => Promise<void>) => Promise<void>;
}

export interface TestConsumer {
  readonly server: KafkaBatchServer;
  readonly group: string;
  readonly intake: BatchIntake;
  readonly deadLetters: DeadLetters;
  readonly registry: Registry;
  /** Exit codes with which the process would have ended. */
  readonly exits: number[];
  /** Number of answered heartbeats. */
  heartbeats(): number;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** A consumer of facts, wired as in `MessagingModule`. */
export function testConsumer(options: TestConsumerOptions): TestConsumer {
  const { kafka, database, reads = ['erp.orders.commands.v1'], urgent = [], logger = quietLogger() } = options;
  const { group = `${uniquePrefix('group')}gondola.${TEST_APP}` } = options;
  const registry = new Registry();
  const metrics = new MessagingMetrics(registry);
  const exits: number[] = [];
  let heartbeats = 0;
  const origin = { app: TEST_APP, group, topicPrefix: kafka.prefix, tenants: ['acme', 'bravo'] };
  const { deadLetters, intake } = testIntake({ origin, database, metrics, logger });
  const server = new KafkaBatchServer({
    app: TEST_APP,
    kafka: observed(kafka.client(), (consumer) => consumer.on(consumer.events.HEARTBEAT, () => (heartbeats += 1))),
    topicPrefix: kafka.prefix,
    group,
    reads,
    urgent,
    metrics,
    logger,
    exit: (code) => exits.push(code),
    timings: { ...TEST_TIMINGS, ...options.timings },
  });
  const store = (batch: RecordBatch): Promise<void> => intake.store(batch, decodeFact, insertFacts);
  const handle = options.handle ?? ((batch, storeBatch) => storeBatch(batch));
  for (const topic of reads) server.addHandler(topic, (batch: RecordBatch) => handle(batch, store), true);
  return {
    server,
    group,
    intake,
    deadLetters,
    registry,
    exits,
    heartbeats: () => heartbeats,
    start: () => server.start(),
    stop: () => server.stop(),
  };
}

/** A client whose consumers are passed to `onConsumer`. */
function observed(kafka: Kafka, onConsumer: (consumer: Consumer) => void): Kafka {
  return Object.assign(Object.create(kafka) as Kafka, {
    consumer: (config: ConsumerConfig) => {
      const consumer = kafka.consumer(config);
      onConsumer(consumer);
      return consumer;
    },
  });
}

/** A consumed record, as a row. */
export interface Fact {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly operation_id: string | null;
}

/** `seq` is the order of arrival; a record that is consumed again stays one row. */
export async function createFacts(database: Database): Promise<void> {
  await database.query(`
    CREATE TABLE facts (
      seq bigint GENERATED ALWAYS AS IDENTITY, topic text, partition integer, "offset" bigint, key bytea, value bytea, operation_id uuid,
      PRIMARY KEY (topic, partition, "offset"))`);
}

export async function readFacts(database: Database): Promise<Fact[]> {
  const { rows } = await database.query<Fact>('SELECT * FROM facts ORDER BY seq');
  return rows;
}

/** Values of the facts of one partition, in the order in which they were stored. */
export async function valuesOf(database: Database, partition?: number): Promise<Array<string | null>> {
  const facts = await readFacts(database);
  return facts
    .filter((fact) => partition === undefined || fact.partition === partition)
    .map(({ value }) => value?.toString() ?? null);
}

/**
 * Decodes a record by its value: `skip` is not for this app, `not-json` cannot be decoded, `throw` exposes a bug of
 * the decoder, and a column refuses `op:<no GUID>`.
 */
export function decodeFact(record: InRecord): Decoded<InRecord> {
  const text = record.value?.toString() ?? '';
  if (text === 'throw') throw new TypeError('Cliente Teste 01 is not an order');
  if (text === 'skip') return { kind: 'skip', why: 'not-for-this-app' };
  if (text === 'not-json') {
    return { kind: 'dead-letter', code: 'NOT_JSON', reason: notAnObject(record.value), tenant: 'acme' };
  }
  return { kind: 'item', item: record, tenant: 'acme' };
}

export async function insertFacts(tx: Tx, records: readonly InRecord[]): Promise<void> {
  for (const { topic, partition, offset, key, value } of records) {
    const operationId = /^op:(.*)$/.exec(value?.toString() ?? '')?.[1] ?? null;
    await tx.query(
      `INSERT INTO facts (topic, partition, "offset", key, value, operation_id) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (topic, partition, "offset") DO NOTHING`,
      [topic, partition, offset, key, value, operationId],
    );
  }
}
