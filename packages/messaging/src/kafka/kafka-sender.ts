import type { ICustomPartitioner, Kafka, Message, Producer } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { keyPartitioner } from './kafkajs-native.ts';
import { HEADER, type WireRecord } from '../codec/record-codec.ts';
import type { FetchedRecord } from '../codec/fetched-record.ts';
import { recordDigest } from '../codec/record-digest.ts';
import { readBack } from './read-back.ts';
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

/** Destination of a relay's records. */
export interface RecordSender {
  /**
   * Sends records; those of one partition arrive in their order. Throws a `RecordSendError` if it is not known
   * whether they arrived; the same records must then be sent again before any later ones.
   */
  send(records: readonly WireRecord[]): Promise<SendAnswer>;
  /**
   * Digests of the records that are in a topic from these places on, by partition; of a partition without a place,
   * the newest. Null if the account may not read the topic. Throws a `RecordSendError` if Kafka cannot be asked.
   */
  sentSince(topic: TopicName, from: ReadonlyMap<number, bigint>): Promise<ReadonlySet<string> | null>;
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
const MAX_CAUSES = 8;
const NOT_ALLOWED = 'TOPIC_AUTHORIZATION_FAILED';

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

  async sentSince(topic: TopicName, from: ReadonlyMap<number, bigint>): Promise<ReadonlySet<string> | null> {
    try {
      const digests = new Set<string>();
      const visit = (record: FetchedRecord): void => void digests.add(digestOf(record));
      const reading = readBack(this.#kafka, fullTopicName(this.#topicPrefix, topic), from, visit);
      if (!(await settlesWithin(this.#timeoutMs, reading))) throw new Error(`No answer within ${this.#timeoutMs} ms`);
      await reading;
      return digests;
    } catch (cause) {
      if (causesOf(cause).some(({ type }) => type === NOT_ALLOWED)) return null;
      throw new RecordSendError(`Kafka did not show the newest records of ${topic}`, { cause });
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
      return { topic, partition, offset: BigInt(baseOffset ?? 0) };
    });
  }
}

function digestOf(record: FetchedRecord): string {
  const { key, value } = record;
  return recordDigest({ key, value, headers: record.rawHeaders() });
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

/** An error of kafkajs, with the broker's name for it, and the errors that it has as its causes. */
function causesOf(error: unknown): { readonly type?: string }[] {
  const causes: (Error & { type?: string; originalError?: unknown })[] = [];
  for (let cause = error; causes.length < MAX_CAUSES && cause instanceof Error;) {
    causes.push(cause);
    cause = cause.cause ?? causes.at(-1)!.originalError;
  }
  return causes;
}
