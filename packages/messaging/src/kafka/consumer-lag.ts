import { Inject, Injectable } from '@nestjs/common';
import type { Admin } from 'kafkajs';

import { fullTopicName } from '@gondola/shared/topics/topics';

import { type GroupOffsets, type LagProgress, lagOf, NOTHING_CONSUMED, progressed } from './lag-progress.ts';
import { MessagingMetrics } from '../messaging-metrics.ts';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../messaging-options.ts';
import { KafkaClients } from './kafka-clients.ts';

/**
 * How far the app's group, all replicas together, is behind what stands in its topics. Asked of the broker, so it is
 * right for partitions that are paused or another replica's as well. Tested in consumer-lag.int.spec.ts.
 */
@Injectable()
export class ConsumerLag {
  #admin: Admin | undefined;
  #progress: LagProgress = NOTHING_CONSUMED;

  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: Pick<MessagingOptions, 'topicPrefix' | 'group' | 'reads'>,
    @Inject(KafkaClients) private readonly clients: Pick<KafkaClients, 'for'>,
    private readonly metrics: MessagingMetrics,
  ) {}

  /**
   * Everything that stood in the topics at this time (milliseconds since 1970, this process' clock) is consumed; null
   * as long as nothing is known. A deadline that lies after it must not be taken for missed: what it waits for may be
   * here, unread (rule 5).
   */
  consumedUpTo(): number | null {
    return this.#progress.consumedUpTo;
  }

  /**
   * Asks the broker once and updates the metrics. Throws kafkajs' error when it does not answer; the next call connects
   * anew.
   */
  async check(): Promise<void> {
    const { reads } = this.options;
    if (reads.length === 0) return;
    const at = Date.now();
    const offsets = await this.#offsets();
    this.#progress = progressed(this.#progress, at, offsets);
    for (const each of offsets) this.metrics.lag(each.topic, each.partition, Number(lagOf(each)));
  }

  async close(): Promise<void> {
    const admin = this.#admin;
    this.#admin = undefined;
    await admin?.disconnect();
  }

  async #offsets(): Promise<GroupOffsets[]> {
    try {
      const admin = await this.#connected();
      return await this.#offsetsBy(admin);
    } catch (error) {
      await this.close().catch(() => {});
      throw error;
    }
  }

  /** Ends before commits: what is committed by then was there before. */
  async #offsetsBy(admin: Admin): Promise<GroupOffsets[]> {
    const { reads, topicPrefix, group } = this.options;
    const topics = reads.map((topic) => ({ topic, full: fullTopicName(topicPrefix, topic) }));
    const ends = await Promise.all(topics.map(({ full }) => admin.fetchTopicOffsets(full)));
    const commits = await admin.fetchOffsets({ groupId: group, topics: topics.map(({ full }) => full) });
    return topics.flatMap(({ topic, full }, index) => {
      const committed = new Map(
        commits.find((each) => each.topic === full)?.partitions.map(({ partition, offset }) => [partition, offset]),
      );
      return (ends[index] ?? []).map(({ partition, low, high }) => ({
        topic,
        partition,
        low: BigInt(low),
        end: BigInt(high),
        committed: BigInt(committed.get(partition) ?? -1),
      }));
    });
  }

  async #connected(): Promise<Admin> {
    if (this.#admin === undefined) {
      this.#admin = this.clients.for('lag').admin();
      await this.#admin.connect();
    }
    return this.#admin;
  }
}
