import type { ICustomPartitioner, Kafka, Message, Producer } from 'kafkajs';

import { fullTopicName } from '@gondola/shared/topics/topics';

import { keyPartitioner } from './kafkajs-native.ts';
import { HEADER, toKafkaHeaders, type WireRecord } from '../codec/record-codec.ts';
import { settlesWithin } from '../within.ts';

/**
 * `refused`: at least one of the records will never be taken, for this reason of the broker's; some of the others may
 * have been.
 */
export type SendAnswer = { readonly kind: 'sent' } | { readonly kind: 'refused'; readonly code: string };

/** Where a relay's records go. */
export interface RecordSender {
  /**
   * Sends records; those of one partition arrive in their order. Throws a `RecordSendError` when it is not known what
   * became of them, and must then be called again with the same ones before any later one.
   */
  send(records: readonly WireRecord[]): Promise<SendAnswer>;
  close(): Promise<void>;
}

/**
 * Kafka is away, too slow, or not set up for these records. Nothing is wrong with the records themselves: try again
 * later.
 */
export class RecordSendError extends Error {
  readonly code = 'KAFKA_SEND_FAILED';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordSendError';
  }
}

/**
 * The relay tries again, with a new producer. A retry of kafkajs' own would outlive the producer that we gave up, and
 * reconnect it.
 */
const RETRY = { retries: 0 };
const SEND_TIMEOUT_MS = 10_000;
const DISCONNECT_TIMEOUT_MS = 2_000;

/** Kafka's codes for what is wrong with a record and stays wrong. */
const REFUSALS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);
const MAX_CAUSES = 8;

/**
 * Sends to Kafka with acks of all in-sync replicas. A producer whose send failed is thrown away: what it knows of
 * brokers and leaders may be the reason, and what it may still have under way must not go on beside the next attempt.
 */
export class KafkaSender implements RecordSender {
  readonly #kafka: Kafka;
  readonly #topicPrefix: string;
  readonly #timeoutMs: number;
  #producer: Producer | undefined;

  /** `timeoutMs`: for a whole send; below the silence after which the relay's lock is taken away. */
  constructor(kafka: Kafka, topicPrefix: string, timeoutMs = SEND_TIMEOUT_MS) {
    this.#kafka = kafka;
    this.#topicPrefix = topicPrefix;
    this.#timeoutMs = timeoutMs;
  }

  async send(records: readonly WireRecord[]): Promise<SendAnswer> {
    const producer = (this.#producer ??= this.#newProducer());
    try {
      await inTime(this.#timeoutMs, producer, this.#sendAll(producer, records));
      return { kind: 'sent' };
    } catch (error) {
      await this.close();
      const code = refusalOf(error);
      if (code !== undefined) return { kind: 'refused', code };
      throw new RecordSendError('Kafka did not take the records', { cause: error });
    }
  }

  async close(): Promise<void> {
    const producer = this.#producer;
    this.#producer = undefined;
    if (producer !== undefined) await settlesWithin(DISCONNECT_TIMEOUT_MS, producer.disconnect());
  }

  #newProducer(): Producer {
    return this.#kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: byEntity,
      maxInFlightRequests: 1,
      retry: RETRY,
    });
  }

  async #sendAll(producer: Producer, records: readonly WireRecord[]): Promise<void> {
    await producer.connect();
    const byTopic = Map.groupBy(records, ({ topic }) => topic);
    const topicMessages = [...byTopic].map(([topic, ofTopic]) => ({
      topic: fullTopicName(this.#topicPrefix, topic),
      messages: ofTopic.map(toMessage),
    }));
    await producer.sendBatch({ acks: -1, timeout: this.#timeoutMs, topicMessages });
  }
}

/**
 * kafkajs cannot be called off: what is given up here may still connect later, and is disconnected when it has come to
 * its end.
 */
async function inTime(timeoutMs: number, producer: Producer, work: Promise<void>): Promise<void> {
  if (await settlesWithin(timeoutMs, work)) return work;
  void settled(work).then(async () => settled(producer.disconnect()));
  throw new Error(`No answer within ${timeoutMs} ms`);
}

async function settled(work: Promise<void>): Promise<void> {
  await Promise.allSettled([work]);
}

/**
 * Kafka's own partitioner (murmur2 modulo the partitions that the broker reports), over the entity in place of the
 * key.
 */
const byEntity: ICustomPartitioner = () => {
  const byKey = keyPartitioner();
  return ({ message, ...rest }) => byKey({ ...rest, message: { ...message, key: entityOf(message) } });
};

function entityOf({ headers, key }: Message): Buffer | string | null {
  const entity = headers?.[HEADER.partitionKey];
  return (Array.isArray(entity) ? entity.at(-1) : entity) ?? key ?? null;
}

function toMessage({ key, value, headers }: WireRecord): Message {
  return { key, value, headers: toKafkaHeaders(headers) };
}

function refusalOf(error: unknown): string | undefined {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    const type = (cause as { type?: unknown }).type;
    if (typeof type === 'string' && REFUSALS.has(type)) return type;
    cause = cause.cause ?? (cause as { originalError?: unknown }).originalError;
  }
  return undefined;
}
