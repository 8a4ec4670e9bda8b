import type { Kafka, Message, PartitionerArgs, Producer } from 'kafkajs';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { causeOf, codeOf, type KafkaCode } from '../client/kafka-codes.ts';
import { keyPartitioner } from '../client/kafkajs-native.ts';
import { HEADER, type WireRecord } from '../records/record-codec.ts';
import { causesOf } from '../client/error-causes.ts';
import { KafkaLog } from './kafka-log.ts';
import { type ReadBack, readBack, type ReadLimit } from './read-back.ts';
import type { SentPlace } from './sent-place.ts';
import { tracedSend } from '../tracing/record-spans.ts';
import { settlesWithin } from '@gondola/service-kit/run/within';

/** Kafka's answer to a send. */
export interface SendAnswer {
  /** The first record of each partition whose records were accepted. */
  readonly places: readonly SentPlace[];
  /**
   * Kafka's code of each record that it did not accept, by the record's index. Kafka answers for the records of a
   * partition together, and about its topics before it takes any record: then all records have the same code.
   */
  readonly refusals: ReadonlyMap<number, KafkaCode>;
}

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
/** Share of that time in which replicas confirm: then a broker names the late topic before the send is given up. */
const BROKERS_SHARE = 0.8;
const DISCONNECT_TIMEOUT_MS = 2_000;

/** UNKNOWN_SERVER_ERROR: a broker that says nothing about a partition has not accepted its records. */
const NO_ANSWER = -1;

/**
 * Sends to Kafka with acks of all in-sync replicas. After a failed send the producer is discarded: its metadata
 * about brokers and leaders may be the cause, and its open requests must not continue beside the next send.
 */
export class KafkaSender implements RecordSender {
  readonly #kafka: Kafka;
  readonly #topicPrefix: string;
  readonly #timeoutMs: number;
  #producer: Producer | undefined;
  readonly #byKey = keyPartitioner();
  /** Partition of each record that is being sent. */
  readonly #chosen = new WeakMap<WireRecord, number>();

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
      const answer = await sending;
      if ([...answer.refusals.values()].some((code) => causeOf(code) !== 'record')) await this.close();
      return answer;
    } catch (error) {
      await this.close();
      const code = topicCodeOf(error);
      if (code === undefined) throw new RecordSendError('Kafka did not accept the records', { cause: error });
      return { places: [], refusals: new Map(records.map((_, index) => [index, code])) };
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
      createPartitioner: () => this.#choosePartition,
      maxInFlightRequests: 1,
      retry: RETRY,
    });
  }

  /**
   * Kafka's own partitioner (murmur2 modulo the number of partitions that the broker reports), applied to the entity
   * instead of the key.
   */
  readonly #choosePartition = ({ topic, partitionMetadata, message }: PartitionerArgs): number => {
    const record = message as unknown as WireRecord;
    const partition = this.#byKey({ topic, partitionMetadata, message: { key: entityOf(record), value: null } });
    this.#chosen.set(record, partition);
    return partition;
  };

  /** Headers stay in their own form, which the encoder of `kafkajs-native.ts` takes. */
  async #sendAll(producer: Producer, records: readonly WireRecord[]): Promise<SendAnswer> {
    await producer.connect();
    const byTopic = Map.groupBy(records, ({ topic }) => topic);
    const topicMessages = [...byTopic].map(([topic, ofTopic]) => ({
      topic: fullTopicName(this.#topicPrefix, topic),
      messages: ofTopic as unknown as Message[],
    }));
    const answers = await producer.sendBatch({
      acks: -1,
      timeout: Math.floor(this.#timeoutMs * BROKERS_SHARE),
      topicMessages,
    });
    const codes = new Map(answers.map((answer) => [placeName(answer.topicName, answer.partition), answer.errorCode]));
    const refusals = new Map<number, KafkaCode>();
    for (const [index, record] of records.entries()) {
      const name = placeName(fullTopicName(this.#topicPrefix, record.topic), this.#chosen.get(record));
      const code = codes.get(name) ?? NO_ANSWER;
      if (code !== 0) refusals.set(index, codeOf(code));
    }
    const places = answers
      .filter(({ errorCode }) => errorCode === 0)
      .map(({ topicName, partition, baseOffset }) => {
        const topic = topicName.slice(this.#topicPrefix.length) as TopicName;
        return { topic, name: topicName, partition, offset: BigInt(baseOffset ?? 0) };
      });
    return { places, refusals };
  }
}

function placeName(topic: string, partition: number | undefined): string {
  return `${topic}/${partition}`;
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

function entityOf({ headers, key }: WireRecord): Buffer | null {
  return headers.findLast(([name]) => name === HEADER.partitionKey)?.[1] ?? key;
}

/**
 * Code with which Kafka answered about the topics, before it took any record; undefined for any other failure, also of
 * a login, which is about no topic.
 */
function topicCodeOf(error: unknown): KafkaCode | undefined {
  const causes = causesOf(error);
  if (causes.some(({ name }) => name === 'KafkaJSSASLAuthenticationError')) return undefined;
  const code = causes.find(({ name }) => name === 'KafkaJSProtocolError')?.code;
  return typeof code === 'number' ? codeOf(code) : undefined;
}
