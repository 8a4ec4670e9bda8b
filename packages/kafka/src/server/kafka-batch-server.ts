import { type CustomTransportStrategy, type MessageHandler, Server } from '@nestjs/microservices';
import type { Consumer, Kafka } from 'kafkajs';
import { isObservable, lastValueFrom } from 'rxjs';

import type { Logger } from '@gondola/service-kit/logging/logger';
import { fullTopicName, type TopicName } from '@gondola/shared/topics/topics';

import { ConsumerGuard } from './consumer-guard.ts';
import { CONSUMER_TIMINGS, type ConsumerTimings } from './consumer-timings.ts';
import { handlerProblems, type RecordBatch, TopicHandlersError } from './topic-handler.ts';
import type { MessagingMetrics } from '../metrics/messaging-metrics.ts';
import { PartitionPauses } from './partition-pauses.ts';
import { PartitionRunner } from './partition-runner.ts';
import { settlesWithin } from '@gondola/service-kit/run/within';

export interface KafkaBatchServerOptions {
  /** Name of the app, for log messages. */
  readonly app: string;
  /** A client for this server alone. */
  readonly kafka: Kafka;
  readonly topicPrefix: string;
  /** The consumer group with its prefix. */
  readonly group: string;
  /** Topics to read, each with exactly one `@TopicHandler`; an app without any has no consumer. */
  readonly reads: readonly TopicName[];
  /** Topics of `reads` whose batches do not wait for batches of other topics. Default none. */
  readonly urgent?: readonly TopicName[];
  readonly metrics: MessagingMetrics;
  readonly logger: Logger;
  /** Exits the process; default `process.exit`. */
  readonly exit?: (code: number) => void;
  readonly timings?: Partial<ConsumerTimings>;
}

/** Milliseconds as whole seconds, for log messages. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1_000);
}

/** Number of partitions handled in parallel, so that a slow one does not delay the others of a fetch. */
const CONCURRENT_PARTITIONS = 3;
/** More than a fetch has where some are urgent; `PartitionRunner` holds the others to CONCURRENT_PARTITIONS. */
const ALL_PARTITIONS = 1_000;
/** Half of kafkajs' own limit, of each partition: an urgent record waits while what was fetched with it is decoded. */
const FETCH_BYTES_BESIDE_URGENT = 524_288;
/** Share of the wait of an empty fetch: a partition that it left out while its records were stored needs the next. */
const FETCH_WAIT_BESIDE_URGENT = 0.5;

/**
 * Nest's transport for Kafka, by batches: joins the app's consumer group and hands each
 * topic's records to its handler.
 *
 * Guarantees: no topic is read without its one handler; delivery is at-least-once and in order per partition, since
 * an offset is never committed before its transaction (`partition-runner`); the process does not run on without
 * consuming (`consumer-guard`). Tested in kafka-batch-server.int.spec.ts.
 */
export class KafkaBatchServer extends Server implements CustomTransportStrategy {
  /** Stops Nest from logging failures as unhandled; the partition runner handles them. */
  override readonly propagatesEventHandlerErrors = true;
  readonly #options: KafkaBatchServerOptions;
  readonly #timings: ConsumerTimings;
  readonly #urgent: ReadonlySet<TopicName>;
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
    this.#urgent = new Set(options.urgent);
    this.#timings = { ...CONSUMER_TIMINGS, ...options.timings };
    const { stuckMs, handlerMs, heartbeatMs, pause } = this.#timings;
    this.#guard = new ConsumerGuard({ stuckMs, handlerMs, logger: log, exit });
    this.#pauses = new PartitionPauses(pause, metrics);
    this.#runner = new PartitionRunner({
      group,
      topicPrefix,
      urgent: this.#urgent,
      concurrency: CONCURRENT_PARTITIONS,
      handle: (batch) => this.#handle(batch),
      heartbeatMs,
      pauses: this.#pauses,
      guard: this.#guard,
      metrics,
      logger: log,
    });
  }

  /** Description of what a start waits for, which may take time; undefined without a consumer. */
  get waitsFor(): string | undefined {
    if (this.#options.reads.length === 0) return undefined;
    const { sessionMs, rebalanceMs } = this.#timings;
    return (
      `the consumer group: the wait for a member that died takes at most ${seconds(sessionMs)} s, ` +
      `for one that died while it joined at most ${seconds(rebalanceMs)} s`
    );
  }

  /**
   * Counts the handlers of each topic, so that `listen` refuses a second one; Nest would chain it behind the first.
   */
  override addHandler(pattern: string, callback: MessageHandler, isEventHandler = false, extras?: object): void {
    this.#handlerCounts.set(pattern, (this.#handlerCounts.get(pattern) ?? 0) + 1);
    super.addHandler(pattern, callback, isEventHandler, { ...extras });
  }

  /**
   * Throws a `TopicHandlersError` if the topics to read and the handlers do not match. To be called once the
   * controllers exist and before anything is connected.
   */
  checkHandlers(): void {
    const { app, reads } = this.#options;
    const problems = handlerProblems(app, reads, this.#handlerCounts);
    if (problems.length > 0) throw new TopicHandlersError(problems);
  }

  /** Nest's name for `start`: calls back once consuming, or with the error, after which it can be called again. */
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
   * Joins the group; resolves when partitions are assigned. Throws kafkajs' error if no broker answers; it can then
   * be called again.
   */
  async start(): Promise<void> {
    this.checkHandlers();
    const { reads, topicPrefix, group, logger } = this.#options;
    if (reads.length === 0) return;
    logger.info({ group }, `The consumer waits for ${this.waitsFor}`);
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
        partitionsConsumedConcurrently: this.#urgent.size > 0 ? ALL_PARTITIONS : CONCURRENT_PARTITIONS,
        eachBatch: (payload) => this.#runner.run(payload),
      });
    } catch (error) {
      this.#guard.stop();
      await consumer.disconnect().catch(() => {});
      throw error;
    }
    await Promise.race([joined, this.#stopped.promise]);
  }

  /** Ends within `stopMs`: open batches are finished and committed, or abandoned and consumed again later. */
  async stop(): Promise<void> {
    this.#stopped.resolve();
    this.#guard.stop();
    this.#pauses.stop();
    const consumer = this.#consumer;
    this.#consumer = undefined;
    if (consumer !== undefined) await this.#disconnect(consumer);
    this.#runner.stop();
  }

  /** Nest's name for `stop`. */
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
      ...(this.#urgent.size > 0 && {
        maxWaitTimeInMs: fetchWaitMs * FETCH_WAIT_BESIDE_URGENT,
        maxBytesPerPartition: FETCH_BYTES_BESIDE_URGENT,
      }),
      allowAutoTopicCreation: false,
    });
  }

  /** Handles each join of the group; the promise resolves at the first one. */
  async #onJoined(consumer: Consumer): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { topicPrefix, logger: log, group } = this.#options;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload: { memberId, memberAssignment } }) => {
      this.#runner.joined();
      this.#pauses.keepOnly((topic, partition) =>
        Boolean(memberAssignment[fullTopicName(topicPrefix, topic)]?.includes(partition)),
      );
      log.info(
        { group, memberId, count: Object.values(memberAssignment).flat().length },
        'The consumer joined its group',
      );
      resolve();
    });
    await promise;
  }

  /**
   * Commits the offsets of transaction markers. A fetch may consist of markers alone, for which no handler is
   * called; uncommitted, they would count as lag.
   */
  #commitMarkers(consumer: Consumer): void {
    consumer.on(consumer.events.END_BATCH_PROCESS, ({ payload: { batchSize, topic, partition, lastOffset } }) => {
      if (batchSize > 0) return;
      const offset = String(BigInt(lastOffset) + 1n);
      consumer.commitOffsets([{ topic, partition, offset }]).catch((err: unknown) => {
        this.#options.logger.debug(
          { err, partition },
          'The offset of a transaction marker was not committed; the next batch commits it',
        );
      });
    });
  }

  async #handle(batch: RecordBatch): Promise<void> {
    const handler = this.messageHandlers.get(batch.topic)!;
    const result: unknown = await handler(batch);
    if (isObservable(result)) await lastValueFrom(result, { defaultValue: undefined });
  }

  async #disconnect(consumer: Consumer): Promise<void> {
    const stopped = this.#runner.drain().then(() => consumer.disconnect());
    if (await settlesWithin(this.#timings.stopMs, stopped)) return;
    this.#options.logger.warn('The consumer did not stop in time; uncommitted records will be consumed again');
  }
}
