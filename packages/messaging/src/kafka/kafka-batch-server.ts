import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Consumer, Kafka } from 'kafkajs';
import { isObservable, lastValueFrom } from 'rxjs';

import type { Logger } from '@gondola/service-kit/logging/logger';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { ConsumerGuard } from './consumer-guard.ts';
import { CONSUMER_TIMINGS, type ConsumerTimings } from './consumer-timings.ts';
import { handlerProblems, type RecordBatch, TopicHandlersError } from '../consume/topic-handler.ts';
import type { MessagingMetrics } from '../messaging-metrics.ts';
import { PartitionPauses } from './partition-pauses.ts';
import { PartitionRunner } from './partition-runner.ts';
import { settlesWithin } from '../within.ts';

export interface KafkaBatchServerOptions {
  /** For messages. */
  readonly app: string;
  /** A client of its own. */
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  /** The consumer group with its prefix. */
  readonly group: string;
  /** Each has exactly one `@TopicHandler`; an app that reads none has no consumer. */
  readonly reads: readonly TopicName[];
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  /** Ends the process; `process.exit` unless a test looks on. */
  readonly exit?: (code: number) => void;
  readonly timings?: Partial<ConsumerTimings>;
}

/** Durations for people, in whole seconds. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** Partitions handled side by side: one that is slow does not hold up the others of a fetch. */
const CONCURRENT_PARTITIONS = 3;

/**
 * Nest's transport for Kafka, by batches: joins the app's consumer group and hands each topic's records to its handler.
 *
 * Gives: no topic is read without its one handler; at-least-once, in order per partition, an offset never being
 * committed before its transaction (`partition-runner`); the process does not live on deaf (`consumer-guard`). Tested
 * in kafka-batch-server.int.spec.ts.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  /** Failures are ours to judge; Nest is not to log them as unhandled. */
  override readonly propagatesEventHandlerErrors = true;
  readonly #options: KafkaBatchServerOptions;
  readonly #timings: ConsumerTimings;
  readonly #handlerCounts = new Map<string, number>();
  readonly #guard: ConsumerGuard;
  readonly #pauses: PartitionPauses;
  readonly #runner: PartitionRunner;
  readonly #stopped = Promise.withResolvers<void>();
  #consumer: Consumer | undefined;

  constructor(options: KafkaBatchServerOptions) {
    super();
    const { group, topicPrefix, metrics, logger: log, exit = (code: number) => process.exit(code) } = options;
    this.#options = options;
    this.#timings = { ...CONSUMER_TIMINGS, ...options.timings };
    const { stuckMs, handlerMs, heartbeatMs, pause } = this.#timings;
    this.#guard = new ConsumerGuard({ stuckMs, handlerMs, logger: log, exit });
    this.#pauses = new PartitionPauses(pause, metrics);
    this.#runner = new PartitionRunner({
      group,
      topicPrefix,
      handle: (batch) => this.#handle(batch),
      heartbeatMs,
      pauses: this.#pauses,
      guard: this.#guard,
      metrics,
      logger: log,
    });
  }

  /** Why a start may take its time; none without a consumer. */
  get waitsFor(): string | undefined {
    if (this.#options.reads.length === 0) return undefined;
    const { sessionMs, rebalanceMs } = this.#timings;
    return (
      `the consumer group: a member that died is waited for at most ${seconds(sessionMs)} s, ` +
      `one that died while it joined at most ${seconds(rebalanceMs)} s`
    );
  }

  /** Nest would chain a second handler of a topic behind the first; they are counted, and `listen` refuses them. */
  override addHandler(pattern: string, callback: MessageHandler, isEventHandler = false, extras?: object): void {
    this.#handlerCounts.set(pattern, (this.#handlerCounts.get(pattern) ?? 0) + 1);
    super.addHandler(pattern, callback, isEventHandler, { ...extras });
  }

  /**
   * Throws a `TopicHandlersError` where the topics to read and the handlers do not match; to be called once the
   * controllers are there, and before anything is connected.
   */
  checkHandlers(): void {
    const { app, reads } = this.#options;
    const problems = handlerProblems(app, reads, this.#handlerCounts);
    if (problems.length > 0) throw new TopicHandlersError(problems);
  }

  /** Nest's word for `start`: calls back when consuming, or with the error; it can be called again then. */
  async listen(callback: (error?: unknown) => void): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      callback(error);
      return;
    }
    callback();
  }

  /**
   * Joins the group; resolves when partitions are assigned. Throws kafkajs' error when no broker answers; it can then
   * be called again.
   */
  async start(): Promise<void> {
    this.checkHandlers();
    const { reads, topicPrefix, group, logger } = this.#options;
    if (reads.length === 0) return;
    logger.info({ group }, `Waits for ${this.waitsFor}`);
    const consumer = this.#newConsumer();
    this.#consumer = consumer;
    const joined = this.#onJoined(consumer);
    this.#commitMarkers(consumer);
    try {
      await consumer.connect();
      await consumer.subscribe({
        topics: reads.map((topic) => fullTopicName(topicPrefix, topic)),
        fromBeginning: true,
      });
      if (this.#consumer !== consumer) return;
      this.#guard.watch(consumer);
      await consumer.run({
        autoCommit: false,
        eachBatchAutoResolve: false,
        partitionsConsumedConcurrently: CONCURRENT_PARTITIONS,
        eachBatch: (payload) => this.#runner.run(payload),
      });
    } catch (error) {
      this.#guard.stop();
      await consumer.disconnect().catch(() => {});
      throw error;
    }
    await Promise.race([joined, this.#stopped.promise]);
  }

  /** Ends within `stopMs`: batches under way are finished and committed, or left to be consumed again. */
  async stop(): Promise<void> {
    this.#stopped.resolve();
    this.#guard.stop();
    this.#pauses.stop();
    const consumer = this.#consumer;
    this.#consumer = undefined;
    if (consumer !== undefined) await this.#disconnect(consumer);
    this.#runner.stop();
  }

  /** Nest's word for `stop`. */
  async close(): Promise<void> {
    await this.stop();
  }

  /** Required by Nest's contract, unused by this transport. */
  on(): never {
    throw new Error('The Kafka transport has no events');
  }

  /** Required by Nest's contract, unused by this transport. */
  unwrap(): never {
    throw new Error('The Kafka transport does not hand out its consumer');
  }

  #newConsumer(): Consumer {
    const { kafka, group } = this.#options;
    const { sessionMs, heartbeatMs, rebalanceMs, fetchWaitMs } = this.#timings;
    return kafka.consumer({
      groupId: group,
      sessionTimeout: sessionMs,
      heartbeatInterval: heartbeatMs,
      rebalanceTimeout: rebalanceMs,
      maxWaitTimeInMs: fetchWaitMs,
      allowAutoTopicCreation: false,
    });
  }

  /** Handles each join of the group; the promise resolves at the first. */
  async #onJoined(consumer: Consumer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { topicPrefix, logger: log, group } = this.#options;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
      this.#runner.joined();
      this.#pauses.keepOnly((topic, partition) =>
        Boolean(memberAssignment[fullTopicName(topicPrefix, topic)]?.includes(partition)),
      );
      log.info({ group, memberId, count: Object.values(memberAssignment).flat().length }, 'Joined the consumer group');
      resolve();
    });
    await promise;
  }

  /**
   * A fetch may hold a transaction's markers alone: no handler is called for them, and they would stay behind as lag.
   */
  #commitMarkers(consumer: Consumer): void {
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { batchSize, topic, partition, lastOffset } }) => {
      if (batchSize > 0) return;
      const offset = String(BigInt(lastOffset) + 1n);
      consumer.commitOffsets([{ topic, partition, offset }]).catch((err: unknown) => {
        this.#options.logger.debug({ err, partition }, 'A marker was not committed; the next batch does it');
      });
    });
  }

  async #handle(batch: RecordBatch): Promise<void> {
    const handler = this.messageHandlers.get(batch.topic)!;
    const result: unknown = await handler(batch);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }

  async #disconnect(consumer: Consumer): Promise<void> {
    if (await settlesWithin(this.#timings.stopMs, consumer.disconnect())) return;
    this.#options.logger.warn('The consumer did not end in time; what it had not committed will be consumed again');
  }
}
