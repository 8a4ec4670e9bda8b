import { Inject, Injectable } from '@nestjs/common';

import { KafkaClients } from '@gondola/kafka/client/kafka-clients';
import { causeOf, type KafkaCode } from '@gondola/kafka/client/kafka-codes';
import { MESSAGING_OPTIONS, type MessagingOptions } from '@gondola/kafka/client/messaging-options';
import { KafkaLog } from '@gondola/kafka/produce/kafka-log';
import { KafkaSender } from '@gondola/kafka/produce/kafka-sender';
import type { PartitionEdges } from '@gondola/kafka/produce/read-back';
import type { WireRecord } from '@gondola/kafka/records/record-codec';
import type { FetchedRecord } from '@gondola/kafka/wire/fetched-record';

import type { ReplayPlace } from './replays.ts';

/** The second one is larger than the largest batch that an app's topic takes. */
const FETCH_BYTES = [1_048_576, 16_777_216];

/** Kafka refuses what a replay needs for a reason that may pass; `code` is Kafka's. */
export class KafkaRefusalError extends Error {
  constructor(readonly code: KafkaCode) {
    super(`Kafka refuses what the replay needs: ${code}`);
  }
}

/** A topic that is read without a consumer group; its edges are those of the moment at which it was opened. */
export interface OpenTopic {
  readonly log: KafkaLog;
  readonly edges: readonly PartitionEdges[];
}

/** Reads and sends for replays, over connections of their own, so that the relay's never wait for them. */
@Injectable()
export class ReplayKafka {
  readonly #clients: KafkaClients;
  readonly #prefix: string;
  readonly #sender: KafkaSender;

  constructor(clients: KafkaClients, @Inject(MESSAGING_OPTIONS) { topicPrefix }: MessagingOptions) {
    this.#clients = clients;
    this.#prefix = topicPrefix;
    this.#sender = new KafkaSender(clients.for('replay'), topicPrefix);
  }

  /** Opens a topic by its name without prefix. Throws `KafkaRefusalError` if there is none, or it may not be read. */
  async open(name: string): Promise<OpenTopic> {
    const log = new KafkaLog(this.#clients.for('replay'), this.#prefix + name);
    const edges = await log.edges();
    if (edges !== null && edges.length > 0) return { log, edges };
    log.close();
    throw new KafkaRefusalError(edges === null ? 'TOPIC_AUTHORIZATION_FAILED' : 'UNKNOWN_TOPIC_OR_PARTITION');
  }

  /** Records from a place on, in their order; none if nothing is left before its end. */
  async recordsAt({ log, edges }: OpenTopic, { partition, next, end }: ReplayPlace): Promise<readonly FetchedRecord[]> {
    const at = edges.find((each) => each.partition === partition);
    for (const maxBytes of FETCH_BYTES) {
      const records = at === undefined ? null : await log.records(at, BigInt(next), maxBytes);
      if (records === null) throw new KafkaRefusalError('TOPIC_AUTHORIZATION_FAILED');
      const wanted = records.filter(({ offset }) => BigInt(offset) >= BigInt(next) && BigInt(offset) < BigInt(end));
      if (wanted.length > 0) return wanted;
      // Compaction emptied the end of a batch, and the next batch did not fit.
    }
    return [];
  }

  /** Sends records in their order, and returns the number of those that the topic does not take as they are. */
  async send(records: readonly WireRecord[]): Promise<number> {
    if (records.length === 0) return 0;
    const { refusals } = await this.#sender.send(records);
    const passing = [...refusals.values()].find((code) => causeOf(code) !== 'record');
    if (passing !== undefined) throw new KafkaRefusalError(passing);
    if (records.length === 1) return refusals.size;
    let refused = 0;
    // Kafka answers for the records of a partition together.
    for (const index of refusals.keys()) refused += await this.send([records[index]!]);
    return refused;
  }

  async close(): Promise<void> {
    await this.#sender.close();
  }
}
