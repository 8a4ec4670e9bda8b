import { Inject, Injectable } from '@nestjs/common';

import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { MessagingMetrics } from '../metrics/messaging-metrics.ts';
import { MESSAGING_OPTIONS, type MessagingOptions } from '../client/messaging-options.ts';
import { KafkaClients } from '../client/kafka-clients.ts';
import { type Cluster, clusterOf, committedView, type TopicOffsets } from '../client/kafkajs-native.ts';

/**
 * Lag of the app's consumer group, all replicas together, behind its topics. The broker supplies it, so it also
 * covers paused partitions and partitions of other replicas. Tested in consumer-lag.int.spec.ts.
 */
@Injectable()
export class ConsumerLag {
  #cluster: Promise<Cluster> | undefined;
  #progress: LagProgress = NOTHING_CONSUMED;
  #openTransactions: readonly GroupOffsets[] = [];

  constructor(
    @Inject(MESSAGING_OPTIONS) private readonly options: Pick<MessagingOptions, 'topicPrefix' | 'group' | 'reads'>,
    @Inject(KafkaClients) private readonly clients: Pick<KafkaClients, 'for'>,
    private readonly metrics: MessagingMetrics,
  ) {}

  /**
   * All records in the topics at this time (milliseconds since 1970, this process' clock) are consumed; null until
   * the first measurement. A deadline after this time must not count as missed: the awaited record may be in the
   * topic, unread (rule 5).
   */
  consumedUpTo(): number | null {
    return this.#progress.consumedUpTo;
  }

  /**
   * Queries the broker once and updates the metrics. Throws kafkajs' error if the broker does not answer; the next
   * call reconnects.
   */
  async check(): Promise<void> {
    const { reads } = this.options;
    if (reads.length === 0) return;
    const at = Date.now();
    const offsets = await this.#offsets();
    this.#progress = progressed(this.#progress, at, offsets);
    this.#openTransactions = offsets.filter(({ end, readable }) => readable < end);
    for (const each of offsets) {
      this.metrics.lag(each.topic, each.partition, Number(lagOf(each)));
      this.metrics.behindTransaction(each.topic, each.partition, Number(each.end - each.readable));
    }
  }

  /** Partitions with records that nobody can read at the last measurement, because a transaction is open. */
  openTransactions(): readonly GroupOffsets[] {
    return this.#openTransactions;
  }

  async close(): Promise<void> {
    const cluster = this.#cluster;
    this.#cluster = undefined;
    await (await cluster)?.disconnect();
  }

  async #offsets(): Promise<GroupOffsets[]> {
    try {
      this.#cluster ??= this.#connect();
      return await this.#offsetsBy(await this.#cluster);
    } catch (error) {
      await this.close().catch(() => {});
      throw error;
    }
  }

  /**
   * Reads the partitions' ends before the commits: every record below a committed offset was then already in the
   * topic. All topics share a request, which kafkajs' admin client sends for each: an idle app has little else to do.
   */
  async #offsetsBy(cluster: Cluster): Promise<GroupOffsets[]> {
    const { reads, topicPrefix, group } = this.options;
    await cluster.refreshMetadataIfNecessary();
    const topics = reads.map((topic) => {
      const full = fullTopicName(topicPrefix, topic);
      const partitions = cluster
        .findTopicPartitionMetadata(full)
        .map(({ partitionId }) => ({ partition: partitionId }));
      if (partitions.length === 0) throw new Error(`The topic ${full} has no partitions`);
      return { topic: full, partitions };
    });
    const ends = await cluster.fetchTopicsOffset(topics.map((each) => ({ ...each, fromBeginning: false })));
    const lows = await cluster.fetchTopicsOffset(topics.map((each) => ({ ...each, fromBeginning: true })));
    const coordinator = await cluster.findGroupCoordinator({ groupId: group });
    const { responses: commits } = await coordinator.offsetFetch({ groupId: group, topics });
    const found = topics.flatMap(({ topic, partitions }, index) =>
      partitions.map(({ partition }) => {
        const offsetIn = (all: readonly TopicOffsets[]) => offsetOf(all, topic, partition);
        const [low, end, committed] = [offsetIn(lows), offsetIn(ends), offsetIn(commits)];
        return { full: topic, topic: reads[index]!, partition, low, end, committed };
      }),
    );
    if (found.every((each) => lagOf(each) === 0n)) return found.map((each) => ({ ...each, readable: each.end }));
    // A group reads no further than to the first record of an open transaction, so one that is not behind has none.
    const stable = await committedView(cluster).fetchTopicsOffset(
      topics.map((each) => ({ ...each, fromBeginning: false })),
    );
    return found.map((each) => {
      const readable = offsetOf(stable, each.full, each.partition);
      return { ...each, readable: readable < each.end ? readable : each.end };
    });
  }

  async #connect(): Promise<Cluster> {
    const { reads, topicPrefix } = this.options;
    const cluster = clusterOf(this.clients.for('lag'));
    try {
      await cluster.connect();
      await cluster.addMultipleTargetTopics(reads.map((topic) => fullTopicName(topicPrefix, topic)));
    } catch (error) {
      await cluster.disconnect();
      throw error;
    }
    return cluster;
  }
}

function offsetOf(all: readonly TopicOffsets[], topic: string, partition: number): bigint {
  const found = all.find((each) => each.topic === topic)?.partitions.find((each) => each.partition === partition);
  if (found === undefined) throw new Error(`Kafka answered nothing about partition ${partition} of ${topic}`);
  return BigInt(found.offset);
}

/** Offsets of a partition at one moment. */
export interface GroupOffsets {
  readonly topic: TopicName;
  readonly partition: number;
  /** Offset of the oldest record that still exists. */
  readonly low: bigint;
  /** Offset of the next record. */
  readonly end: bigint;
  /** Offset up to which records can be read: the first one of a transaction that is open, else `end`. */
  readonly readable: bigint;
  /** Offset at which the group continues; negative until it has committed one. */
  readonly committed: bigint;
}

/** Known progress of a group; times in milliseconds since 1970. */
interface LagProgress {
  readonly consumedUpTo: number | null;
  /** Ends of the partitions at time `at`, which the group has yet to reach. Null when the group is not behind. */
  readonly target: { readonly at: number; readonly ends: ReadonlyMap<string, bigint> } | null;
}

export const NOTHING_CONSUMED: LagProgress = { consumedUpTo: null, target: null };

/** Number of records that exist and are not committed. */
export function lagOf({ low, end, committed }: Pick<GroupOffsets, 'low' | 'end' | 'committed'>): bigint {
  const next = committed < low ? low : committed;
  return end > next ? end - next : 0n;
}

/**
 * Transactions that are open since the measurement before, by the place at which they begin: those of an ERP that
 * works end within moments.
 */
export function lastingTransactions(before: readonly GroupOffsets[], now: readonly GroupOffsets[]): GroupOffsets[] {
  const known = new Set(before.map((each) => `${keyOf(each)}/${each.readable}`));
  return now.filter((each) => known.has(`${keyOf(each)}/${each.readable}`));
}

/**
 * Progress after a measurement at time `at`, in what can be read: a transaction that stays open on a topic of the ERP
 * does not hold up the deadlines of what other topics tell. A topic that is written all the time never has a lag of
 * zero. Therefore the ends of the partitions become a target, and once the group has passed it, everything up to the
 * target's time is consumed.
 */
export function progressed(before: LagProgress, at: number, offsets: readonly GroupOffsets[]): LagProgress {
  const unread = (each: GroupOffsets, end = each.readable) => lagOf({ ...each, end }) > 0n;
  if (!offsets.some((each) => unread(each))) return { consumedUpTo: at, target: null };
  const target = { at, ends: new Map(offsets.map((each) => [keyOf(each), each.readable])) };
  if (before.target === null) return { consumedUpTo: before.consumedUpTo, target };
  const { at: targetAt, ends } = before.target;
  const passed = !offsets.some((each) => unread(each, ends.get(keyOf(each))));
  return passed ? { consumedUpTo: targetAt, target } : before;
}

function keyOf({ topic, partition }: GroupOffsets): string {
  return `${topic}/${partition}`;
}
