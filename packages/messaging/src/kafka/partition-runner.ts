import type { EachBatchPayload } from 'kafkajs';

import type { Logger } from '@gondola/service-kit/logging/logger';
import { topicNameOf, type TopicName } from '@gondola/shared/topics/topics';

import { type ChunkLimits, chunksOf } from './chunks.ts';
import type { ConsumerGuard } from './consumer-guard.ts';
import { isRedriveOfAnotherGroup } from '../dead-letters/dead-letter-record.ts';
import { dispositionOf } from '../consume/disposition.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import type { PartitionPauses } from './partition-pauses.ts';
import { decodeRecord, type InRecord } from '../codec/record-codec.ts';
import type { RecordBatch } from '../consume/topic-handler.ts';

export interface PartitionRunnerOptions {
  readonly group: string;
  readonly topicPrefix: string;
  readonly handle: (batch: RecordBatch) => Promise<void>;
  readonly heartbeatMs: number;
  readonly pauses: PartitionPauses;
  readonly guard: ConsumerGuard;
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
}

/**
 * In one transaction at most: it bounds a statement's parameters, memory, and the work that is done again after a
 * failure.
 */
const CHUNK: ChunkLimits = { records: 500, bytes: 8 * 1_048_576, headers: 50_000 };

/**
 * Runs inside kafkajs' `eachBatch`, the only place where offsets are committed:
 *
 *   heartbeat ──▶ handler (its transaction commits) ──▶ resolve ──▶ commit ──▶ next chunk
 *      │             │ retry: pause the partition; the unresolved records are fetched again after it
 *      │             │ else: no dead letter could be stored either; the process ends
 *      ▼ throws while the group rebalances: kafkajs joins again, and reads from what was committed
 *
 * Gives: an offset is committed only after the transaction with everything before it. One chunk at a time, because
 * kafkajs'
 * `resolveOffset` is an assignment, no maximum. Tested in batch-order.int.spec.ts, commit-order.int.spec.ts.
 */
export class PartitionRunner {
  readonly #options: PartitionRunnerOptions;
  /** Counts the times that the group was joined. */
  #generation = 0;
  readonly #heartbeats = new Set<NodeJS.Timeout>();

  constructor(options: PartitionRunnerOptions) {
    this.#options = options;
  }

  /** Partitions may have another owner from now on. */
  joined(): void {
    this.#generation += 1;
  }

  /** No timer of a handler that is left behind goes on. */
  stop(): void {
    for (const timer of this.#heartbeats) clearInterval(timer);
  }

  /** Handles a batch of one partition, in chunks. Throws only what kafkajs itself threw. */
  async run(payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const topic = topicNameOf(this.#options.topicPrefix, batch.topic);
    if (topic === null) throw new TypeError(`Not a topic of the catalog: ${batch.topic}`);
    const generation = this.#generation;
    for (const messages of chunksOf(batch.messages, CHUNK)) {
      const chunk = messages.map((message) => decodeRecord(topic, batch.partition, message));
      if (!payload.isRunning() || payload.isStale()) return;
      await payload.heartbeat();
      if (!(await this.#handled(topic, chunk, payload))) return;
      // kafkajs can join anew while a batch of another broker's partition is under way; the offset is the new owner's
      // then.
      if (generation !== this.#generation) return;
      await this.#commit(topic, chunk, payload);
    }
  }

  /** True when the chunk's transaction is committed. */
  async #handled(topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): Promise<boolean> {
    const { handle, guard, pauses } = this.#options;
    const { partition } = payload.batch;
    const records = chunk.filter((record) => this.#isOurs(record));
    if (records.length === 0) return true;
    try {
      await this.#withHeartbeats(payload, () => guard.handling(() => handle({ topic, partition, records })));
    } catch (error) {
      this.#failed(error, topic, chunk, payload);
      return false;
    }
    pauses.recovered(topic, partition);
    return true;
  }

  #failed(error: unknown, topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): void {
    const { guard, pauses, logger } = this.#options;
    const { partition } = payload.batch;
    const where = { topic, partition, firstOffset: chunk[0]?.offset, records: chunk.length };
    if (!payload.isRunning()) {
      logger.info({ ...where, err: error }, 'Batch left uncommitted on stopping; it will be consumed again');
    } else if (dispositionOf(error) === 'retry') {
      const retryInMs = pauses.pause(topic, partition, () => payload.pause());
      logger.warn({ ...where, err: error, retryInMs }, 'The partition waits for the database');
    } else {
      payload.pause();
      guard.end(error, 'Records could be stored nowhere, not even as dead letters', where);
    }
  }

  async #commit(topic: TopicName, chunk: readonly InRecord[], payload: EachBatchPayload): Promise<void> {
    const { batch } = payload;
    const last = chunk.at(-1)!.offset;
    payload.resolveOffset(last);
    // After the last record there may be a transaction's marker, which kafkajs does not hand over.
    const end = last === batch.messages.at(-1)?.offset ? batch.lastOffset() : last;
    const partitions = [{ partition: batch.partition, offset: String(BigInt(end) + 1n) }];
    await payload.commitOffsetsIfNecessary({ topics: [{ topic: batch.topic, partitions }] });
    const { metrics } = this.#options;
    metrics.consumed(topic, batch.partition, chunk.length, chunk.filter(({ key }) => key === null).length);
    metrics.skipped(topic, 'redrive-of-another-group', chunk.filter((record) => !this.#isOurs(record)).length);
  }

  #isOurs(record: InRecord): boolean {
    return !isRedriveOfAnotherGroup(record, this.#options.group);
  }

  /**
   * kafkajs sends no heartbeat while it waits for a handler. What a heartbeat answers (the group rebalances, the member
   * is unknown) is left to the next step: the handler's transaction is not to be broken off, and a commit that came too
   * late is refused by the broker.
   */
  async #withHeartbeats<T>(payload: EachBatchPayload, work: () => Promise<T>): Promise<T> {
    const timer = setInterval(() => void payload.heartbeat().catch(() => {}), this.#options.heartbeatMs);
    this.#heartbeats.add(timer);
    try {
      return await work();
    } finally {
      this.#heartbeats.delete(timer);
      clearInterval(timer);
    }
  }
}
