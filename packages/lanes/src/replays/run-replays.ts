import { Inject, Injectable } from '@nestjs/common';

import { Database } from '@gondola/service-kit/database/database';
import { classifyDatabaseError } from '@gondola/service-kit/database/database-errors';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { codeOf } from '@gondola/service-kit/logging/safe-error';
import { Clock } from '@gondola/service-kit/run/clock';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { replayedTopic } from '@gondola/shared/topics/replayed-topics';

import { MessagingMetrics } from '@gondola/kafka/metrics/messaging-metrics';
import type { ReplayRecord } from '@gondola/kafka/records/replay-record';
import type { FetchedRecord } from '@gondola/kafka/wire/fetched-record';

import { OrderErasuresRepository } from '../erased-orders/order-erasures.repository.ts';
import { OutboxRelay } from '../outbox/outbox-relay.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { Queryable } from '../store/queryable.ts';
import { NewestOfKeys } from './newest-of-keys.ts';
import { type OpenTopic, ReplayKafka } from './replay-kafka.ts';
import { deletedBefore, withCounts } from './replay-places.ts';
import { replayStep } from './replay-step.ts';
import { type ClaimedReplay, REPLAY_COUNTS, type ReplayProgress, ReplayTakenError, Replays } from './replays.ts';

const IDLE_MS = 1_000;
const RETRY_MS = 5_000;
const SECOND_MS = 1_000;
/** Turns in a second: small sends that are spread over it leave the relay room between them. */
const TURNS = 4;
/** Fetches of a turn at most: of many records a replay may choose few. */
const MOST_FETCHES = 4;

/** A topic that is read, and by replay and place what was fetched of it and not looked at. */
type Reading = OpenTopic & { readonly ahead: Map<string, readonly FetchedRecord[]> };

/**
 * Publishes again what an app published, at a pace, a quarter of a second's records at a time:
 *
 *   claim (lease, epoch) ──▶ fetch ▶ choose ▶ without erased orders ┬▶ send ▶ store the place ──▶ due at its pace
 *                                 │ Kafka or PostgreSQL away        └▶ a compacted topic into itself: one
 *                                 └▶ due in 5 s, from the stored place   transaction, newest of keys ▶ outbox, place
 *
 * Guarantees: the records of a key are sent in their order. After a kill, or beside a process that was only frozen, the
 * records of one send may be repeated, with the same key and `ce_id`. No older record becomes the newest of its key
 * in a compacted topic of Gondola. What is about an erased order is left out. Tested in run-replays.int.spec.ts.
 */
@Injectable()
export class RunReplays extends RepeatingTask {
  #nextInMs = IDLE_MS;
  readonly #readings = new Map<string, Reading>();

  constructor(
    private readonly database: Database,
    private readonly replays: Replays,
    private readonly kafka: ReplayKafka,
    private readonly erasures: OrderErasuresRepository,
    private readonly newest: NewestOfKeys,
    private readonly outbox: Outbox,
    @Inject(OutboxRelay) private readonly relay: Pick<OutboxRelay, 'wake'>,
    private readonly metrics: MessagingMetrics,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly log: Logger,
  ) {
    super({ name: 'replays', everyMs: () => this.#nextInMs, run: () => this.run(), logger: log });
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#close();
  }

  /** Works on each replay that is due, for one turn, also if that took longer than it should. */
  async run(): Promise<void> {
    let nextInMs: number | null = null;
    const done: string[] = [];
    for (let replay = await this.#claim(done); replay !== null; replay = await this.#claim(done)) {
      done.push(replay.id);
      const begun = performance.now();
      const turnMs = replay.perSecond < TURNS ? SECOND_MS : SECOND_MS / TURNS;
      try {
        const isFinished = await this.#turn(replay, Math.floor((replay.perSecond * turnMs) / SECOND_MS));
        const inMs = Math.max(0, turnMs - (performance.now() - begun));
        await this.replays.release(replay, isFinished ? null : inMs);
        nextInMs = Math.min(nextInMs ?? inMs, inMs);
      } catch (error) {
        if (!(error instanceof ReplayTakenError)) await this.#failed(replay, error);
      }
    }
    if (nextInMs === null) await this.#close();
    this.#nextInMs = nextInMs ?? IDLE_MS;
  }

  /** Null also while the database does not answer, which readiness shows. */
  async #claim(without: readonly string[]): Promise<ClaimedReplay | null> {
    return this.replays.claim(without).catch((error: unknown) => {
      if (classifyDatabaseError(error) === 'transient') return null;
      throw error;
    });
  }

  async #failed(replay: ClaimedReplay, error: unknown): Promise<void> {
    this.log.warn({ err: error, component: this.name, topic: replay.topic }, 'A replay waits and will go on');
    // Metadata about brokers and leaders may be the cause.
    await this.#close();
    await this.replays.release(replay, RETRY_MS, codeOf(error) ?? 'FAILED');
  }

  /** True if nothing is left. */
  async #turn(replay: ClaimedReplay, most: number): Promise<boolean> {
    let progress = replay.progress;
    let left = most;
    for (let fetches = 0; fetches < MOST_FETCHES && left > 0;) {
      const place = progress.places.find(({ next, end }) => BigInt(next) < BigInt(end));
      if (place === undefined) return true;
      const reading = await this.#reading(replay.topic);
      const first = reading.edges.find(({ partition }) => partition === place.partition)?.start ?? 0n;
      const isCut = first > BigInt(place.next);
      const at = isCut ? { ...place, next: String(first) } : place;
      const name = `${replay.id}/${place.partition}/`;
      const known = reading.ahead.get(name + at.next);
      if (known === undefined) fetches += 1;
      const records = known ?? (await this.kafka.recordsAt(reading, at));
      const { chosen, rest } = replayStep(records, { ...replay, of: replayedTopic(replay.topic)! }, left);
      const last = records.at(-1 - rest.length);
      const next = last === undefined ? place.end : String(BigInt(last.offset) + 1n);
      reading.ahead.delete(name + at.next);
      if (rest.length > 0) reading.ahead.set(name + next, rest);
      const places = progress.places.map((each) => (each === place ? { ...place, next } : each));
      const missingBefore = isCut ? deletedBefore(replay.topic, this.clock.now()) : progress.missingBefore;
      const before = progress;
      progress = await this.#publish(replay, chosen, { ...progress, places, missingBefore });
      for (const what of REPLAY_COUNTS) this.metrics.replayed(replay.topic, what, progress[what] - before[what]);
      left -= chosen.length;
    }
    return false;
  }

  async #publish(
    replay: ClaimedReplay,
    chosen: readonly ReplayRecord[],
    progress: ReplayProgress,
  ): Promise<ReplayProgress> {
    const orders = chosen.flatMap((each) => (each.orderNumber === null ? [] : [orderOf(each)]));
    const gone = await this.erasures.erasedOf(orders);
    const standing = chosen.filter((each) => !gone.has(orderOf(each)));
    const erased = chosen.length - standing.length;
    if (replayedTopic(replay.target)?.isCompacted !== true) {
      const refused = await this.kafka.send(standing.map(({ record }) => record));
      const counts = { sent: standing.length - refused, erased, superseded: 0, refused };
      return this.#advance(this.database, replay, withCounts(progress, counts));
    }
    const after = await this.database.transaction(async (tx) => {
      const newest = await this.newest.locked(tx, standing);
      const records = newest.map(({ record }) => record);
      await this.outbox.appendWire(tx, records);
      const counts = { sent: newest.length, erased, superseded: standing.length - newest.length, refused: 0 };
      return this.#advance(tx, replay, withCounts(progress, counts));
    });
    this.relay.wake();
    return after;
  }

  async #advance(db: Queryable, replay: ClaimedReplay, progress: ReplayProgress): Promise<ReplayProgress> {
    await this.replays.advance(db, replay, progress);
    return progress;
  }

  async #reading(topic: string): Promise<Reading> {
    const known = this.#readings.get(topic) ?? { ...(await this.kafka.open(topic)), ahead: new Map() };
    this.#readings.set(topic, known);
    return known;
  }

  async #close(): Promise<void> {
    for (const { log } of this.#readings.values()) log.close();
    this.#readings.clear();
    await this.kafka.close();
  }
}

function orderOf({ tenant, orderNumber }: ReplayRecord): string {
  return `${tenant}/${orderNumber}`;
}
