import { Injectable } from '@nestjs/common';
import { Counter, Gauge, Registry } from 'prom-client';

import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

/** Metrics of an app's consumer. Topic labels have no prefix. */
@Injectable()
export class MessagingMetrics {
  readonly #consumed: Counter<'topic'>;
  readonly #unkeyed: Counter<'topic'>;
  readonly #skipped: Counter<'topic' | 'why'>;
  readonly #deadLettered: Counter<'topic' | 'code'>;
  readonly #redriven: Counter<'topic'>;
  readonly #replayed: Counter<'topic' | 'what'>;
  readonly #paused: Gauge<'topic' | 'partition'>;
  readonly #lag: Gauge<'topic' | 'partition'>;
  readonly #behindTransaction: Gauge<'topic' | 'partition'>;
  readonly #lastCommit: Gauge<'topic' | 'partition'>;

  constructor(registry: Registry) {
    const registers = [registry];
    const topic = ['topic'] as const;
    const partition = ['topic', 'partition'] as const;
    this.#consumed = new Counter({
      name: 'gondola_records_consumed_total',
      help: 'Consumed records with a committed offset, including skipped records and dead letters',
      labelNames: topic,
      registers,
    });
    this.#unkeyed = new Counter({
      name: 'gondola_records_unkeyed_total',
      help: 'Consumed records without a key, whose order is not guaranteed',
      labelNames: topic,
      registers,
    });
    this.#skipped = new Counter({
      name: 'gondola_records_skipped_total',
      help: 'Consumed records that were skipped, by reason',
      labelNames: ['topic', 'why'],
      registers,
    });
    this.#deadLettered = new Counter({
      name: 'gondola_records_dead_lettered_total',
      help: 'Consumed records that became dead letters, by reason code',
      labelNames: ['topic', 'code'],
      registers,
    });
    this.#redriven = new Counter({
      name: 'gondola_dead_letters_redriven_total',
      help: 'Dead letters that an operator sent back to their topic',
      labelNames: topic,
      registers,
    });
    this.#replayed = new Counter({
      name: 'gondola_records_replayed_total',
      help: 'Records of replays: sent again, or left out because their order is erased, a newer record of the key exists, or Kafka refused them',
      labelNames: ['topic', 'what'],
      registers,
    });
    this.#paused = new Gauge({
      name: 'gondola_partition_paused',
      help: '1 while a partition is paused until the database answers, else 0',
      labelNames: partition,
      registers,
    });
    this.#lag = new Gauge({
      name: 'gondola_consumer_lag_records',
      help: 'Records of a partition that the consumer group has not committed yet, with those behind an open transaction',
      labelNames: partition,
      registers,
    });
    this.#behindTransaction = new Gauge({
      name: 'gondola_consumer_open_transaction_records',
      help: 'Records of a partition that nobody can read yet, because a producer has an open transaction before them',
      labelNames: partition,
      registers,
    });
    this.#lastCommit = new Gauge({
      name: 'gondola_consumer_last_commit_timestamp_seconds',
      help: 'Time of the last offset that this process committed for the partition, in seconds since 1970',
      labelNames: partition,
      registers,
    });
  }

  consumed(topic: TopicName, partition: number, records: number, unkeyed: number): void {
    this.#consumed.inc({ topic }, records);
    if (unkeyed > 0) this.#unkeyed.inc({ topic }, unkeyed);
    this.#lastCommit.setToCurrentTime({ topic, partition: String(partition) });
  }

  skipped(topic: TopicName, why: string, records: number): void {
    if (records > 0) this.#skipped.inc({ topic, why }, records);
  }

  deadLettered(topic: TopicName, code: ReasonCode): void {
    this.#deadLettered.inc({ topic, code });
  }

  redriven(topic: TopicName): void {
    this.#redriven.inc({ topic });
  }

  replayed(topic: TopicName, what: string, records: number): void {
    if (records > 0) this.#replayed.inc({ topic, what }, records);
  }

  paused(topic: TopicName, partition: number, isPaused: boolean): void {
    this.#paused.set({ topic, partition: String(partition) }, isPaused ? 1 : 0);
  }

  lag(topic: TopicName, partition: number, records: number): void {
    this.#lag.set({ topic, partition: String(partition) }, records);
  }

  behindTransaction(topic: TopicName, partition: number, records: number): void {
    this.#behindTransaction.set({ topic, partition: String(partition) }, records);
  }
}
