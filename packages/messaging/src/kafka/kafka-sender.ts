import type { ICustomPartitioner, Kafka, Message, Producer } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { keyPartitioner } from './kafkajs-native.ts';
import { HEADER, type WireRecord } from '../codec/record-codec.ts';
import { causesOf } from './error-causes.ts';
import { KafkaLog } from './kafka-log.ts';
import { type ReadBack, readBack, type ReadLimit } from './read-back.ts';
import type { SentPlace } from './sent-place.ts';
import { tracedSend } from '../tracing/record-spans.ts';
import { settlesWithin } from '@gondola/service-kit/run/within';

/**
 * `sent`: `places` has the first record of each partition. `refused`: the broker will never accept at least one of the
 * records, for the reason `code`; it may have accepted others.
 */
export type SendAnswer =
  | { readonly kind: 'sent'; readonly places: readonly SentPlace[] }
  | { readonly kind: 'refused'; readonly code: string };

/** Places of a topic by partition; `name` is the topic's name with prefix. */
export type PlacesOf = (name: string) => ReadonlyMap<number, bigint>;

/** Records that were found in a topic. */
export interface SentRecords extends ReadBack {
  /** The topic's name with prefix. */
  readonly name: string;
}

/** Destination of a relay's records. */
export interface RecordSender {
  /**
   * Sends records; those of one partition arrive in their order. Throws a `RecordSendError` if it is not known
   * whether they arrived; the same records must then be sent again before any later ones.
   */
  send(records: readonly WireRecord[]): Promise<SendAnswer>;
  /**
   * Digests of the records that are in a topic, the newest first, as far back as `limit` allows: of each partition from
   * its place on, in what `placesOf` has for the topic's name with prefix. Null if the account may not read the topic.
   */
  sentSince(topic: TopicName, placesOf: PlacesOf, limit: ReadLimit): Promise<SentRecords | null>;
  close(): Promise<void>;
}

/**
 * Kafka is away, too slow, or not configured for these records. The records themselves are valid; a later attempt
 * may succeed.
 */
export class RecordSendError extends Error {
  readonly code = 'KAFKA_SEND_FAILED';
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RecordSendError';
  }
}

/**
 * The relay retries with a new producer. A retry inside kafkajs would outlive the abandoned producer and reconnect
 * it.
 */
const RETRY = { retries: 0 };
const SEND_TIMEOUT_MS = 10_000;
const DISCONNECT_TIMEOUT_MS = 2_000;

/** Kafka's error codes for records that will never be accepted. */
const REFUSALS = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD', 'INVALID_TIMESTAMP']);

/**
 * Sends to Kafka with acks of all in-sync replicas. After a failed send the producer is discarded: its metadata
 * about brokers and leaders may be the cause, and its open requests must not continue beside the next send.
 */
export class KafkaSender implements RecordSender {
  readonly #kafka: Kafka;
  readonly #topicPrefix: string;
  readonly #timeoutMs: number;
  #producer: Producer | undefined;

  /** `timeoutMs` limits a whole send; it is shorter than the silence after which the relay loses its lock. */
  constructor(kafka: Kafka, topicPrefix: string, timeoutMs = SEND_TIMEOUT_MS) {
    this.#kafka = kafka;
    this.#topicPrefix = topicPrefix;
    this.#timeoutMs = timeoutMs;
  }

  async send(records: readonly WireRecord[]): Promise<SendAnswer> {
    const producer = (this.#producer ??= this.#newProducer());
    try {
      const sending = tracedSend(records, this.#topicPrefix, (traced) => this.#sendAll(producer, traced));
      await inTime(this.#timeoutMs, producer, sending);
      return { kind: 'sent', places: await sending };
    } catch (error) {
      await this.close();
      const code = refusalOf(error);
      if (code !== undefined) return { kind: 'refused', code };
      throw new RecordSendError('Kafka did not accept the records', { cause: error });
    }
  }

  async sentSince(topic: TopicName, placesOf: PlacesOf, limit: ReadLimit): Promise<SentRecords | null> {
    const name = fullTopicName(this.#topicPrefix, topic);
    const log = new KafkaLog(this.#kafka, name);
    try {
      const found = await readBack(log, placesOf(name), limit);
      return found === null ? null : { ...found, name };
    } finally {
      log.close();
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

  /** Headers stay in their own form, which the encoder of `kafkajs-native.ts` takes. */
  async #sendAll(producer: Producer, records: readonly WireRecord[]): Promise<SentPlace[]> {
    await producer.connect();
    const byTopic = Map.groupBy(records, ({ topic }) => topic);
    const topicMessages = [...byTopic].map(([topic, ofTopic]) => ({
      topic: fullTopicName(this.#topicPrefix, topic),
      messages: ofTopic as unknown as Message[],
    }));
    const answers = await producer.sendBatch({ acks: -1, timeout: this.#timeoutMs, topicMessages });
    return answers.map(({ topicName, partition, baseOffset }) => {
      const topic = topicName.slice(this.#topicPrefix.length) as TopicName;
      return { topic, name: topicName, partition, offset: BigInt(baseOffset ?? 0) };
    });
  }
}

/**
 * kafkajs cannot cancel a send: an abandoned one may still connect later, so its producer is disconnected once it
 * has ended.
 */
async function inTime(timeoutMs: number, producer: Producer, work: Promise<unknown>): Promise<unknown> {
  if (await settlesWithin(timeoutMs, work)) return work;
  void settled(work).then(async () => settled(producer.disconnect()));
  throw new Error(`No answer within ${timeoutMs} ms`);
}

async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

/**
 * Kafka's own partitioner (murmur2 modulo the number of partitions that the broker reports), applied to the entity
 * instead of the key.
 */
const byEntity: ICustomPartitioner = () => {
  const byKey = keyPartitioner();
  return ({ topic, partitionMetadata, message }) =>
    byKey({ topic, partitionMetadata, message: { key: entityOf(message as unknown as WireRecord), value: null } });
};

function entityOf({ headers, key }: WireRecord): Buffer | null {
  return headers.findLast(([name]) => name === HEADER.partitionKey)?.[1] ?? key;
}

function refusalOf(error: unknown): string | undefined {
  return causesOf(error).find(({ type }) => REFUSALS.has(type ?? ''))?.type;
}
