import type { Logger } from '@gondola/service-kit/logging/logger';
import type { Startable } from '@gondola/service-kit/run/startable';

import { type Backoff, backoffMs } from '@gondola/shared/backoff';
import { type Gather, gatherMs } from '@gondola/shared/gather';
import { WakeSignal } from '@gondola/service-kit/run/wake-signal';
import { type RecordSender, RecordSendError, type SendAnswer } from '@gondola/kafka/produce/kafka-sender';
import { type RefusedTopic, RefusedTopics, refusalText } from './refused-topics.ts';
import { RelayPlaces } from './relay-places.ts';
import { assertHeld, type HeldLock, type RelayLock } from './relay-lock.ts';
import type { RelayLimit, RelayRow, RelaySource } from './relay-source.ts';
import { SettleRefusals } from './settle-refusals.ts';
import { UnsentRows } from './unsent-rows.ts';
import { settlesWithin } from '@gondola/service-kit/run/within';

export interface OutboxRelayOptions {
  readonly source: RelaySource;
  readonly lock: RelayLock;
  readonly sender: RecordSender;
  readonly logger: Logger;
  /** Delay with which a record is noticed whose wake signal was lost. Default 1,000. */
  readonly pollMs?: number;
  /** Interval at which a standby relay asks for the lock. Default 1,000. */
  readonly standbyMs?: number;
}

const DEFAULT_POLL_MS = 1_000;
const DEFAULT_STANDBY_MS = 1_000;
/** Pause between two signals of a standby relay to the active one, which bounds what they cost. */
const TELL_MS = 20;
const BACKOFF: Backoff = { baseMs: 200, maxMs: 5_000 };
/**
 * kafkajs makes one batch of a partition's records, and the broker limits its size (`message.max.bytes`, by default
 * 1,048,588), so a whole send stays below that.
 */
const LIMIT: RelayLimit = { records: 500, bytes: 900_000 };
/**
 * Time between the start of a send and the next fetch, by the number of records in that send, and by the time that the
 * one before took (`gatherMs`). Records that are committed meanwhile share the next one: a send costs app, PostgreSQL
 * and Kafka more than a record does. The first record after a rest is sent at once, and in a backlog nothing waits.
 */
const GATHER: Gather = { few: 8, many: LIMIT.records, mostMs: 100 };
const LEAST_GATHER = { fewMs: 2, ms: 10 };
const FULL_BYTES = LIMIT.bytes / 2;
const STOP_TIMEOUT_MS = 5_000;

/** State of the relay between two sends. */
interface Pipe {
  /** Ids of rows that Kafka has acknowledged and that are not marked yet. */
  readonly acked: readonly string[];
  /** Rows that are fetched and not sent yet. */
  readonly next: readonly RelayRow[];
}

/** The time in which this relay has the lock. */
interface Tenure {
  readonly held: HeldLock;
  readonly places: RelayPlaces;
}

/**
 * Mechanism 3: publishes the outbox. One relay of a schema is active: it sends strictly in the source's order,
 * and marks acknowledged rows on the connection that holds the lock. At most one send is in progress; meanwhile it
 * marks the rows of the send before and fetches the next rows, so that Kafka and PostgreSQL work at the same time.
 *
 *   standby ──lock──▶ active: fetch ▶ send 1 ──▶ send 2 ──▶ send 3 …
 *      ▲                 │        fetch 2     mark 1, fetch 3
 *      │                 │ Kafka or PostgreSQL away, lock lost: what is fetched is dropped
 *      └── back-off ◀────┘ (the lock is given up, so that a relay which can reach Kafka may have it)
 *
 * A send begins only after the acknowledgement of the one before. So even a relay that does not know yet that it
 * lost the lock only repeats records; it never sends a record before an earlier one of its entity.
 *
 * Guarantees: the first occurrences of an entity's records are in commit order; no record is lost; without a
 * failure no record is sent twice, and after one a record is repeated with the same key and `ce_id` (guarantee 2).
 * A record that the broker does not accept as it is, is parked, and later records are sent, including those of its
 * entity: each record is complete in itself (an order event carries the whole view and its revision, so a gap is
 * visible), whereas an entity that waited for an operator would be silent. A topic that the broker refuses for a reason
 * of time, place or rights waits, and the records of the others pass (`RefusedTopics`). Tested in
 * outbox-relay*.int.spec.ts, refused-topics.int.spec.ts, every-refusal.int.spec.ts and servers-away.long.spec.ts.
 */
export class OutboxRelay implements Startable {
  readonly name: string;
  readonly source: RelaySource;
  readonly #options: OutboxRelayOptions;
  readonly #unsent: UnsentRows;
  /** Signalled by new records and by `stop`. */
  readonly #wakeSignal = new WakeSignal();
  /** Signalled by `stop` only: new records must not shorten the wait for the lock or for Kafka. */
  readonly #stopSignal = new WakeSignal();
  readonly #refused = new RefusedTopics();
  readonly #refusals: SettleRefusals;
  #loop: Promise<void> | undefined;
  #telling: NodeJS.Timeout | undefined;
  #stopping = false;
  #active = false;
  /** Milliseconds that the last send took. */
  #sentInMs = 0;
  #failure: unknown;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.source = options.source;
    this.name = `${options.source.name} relay`;
    this.#unsent = new UnsentRows({
      ...options,
      component: this.name,
      pause: (ms) => this.#stopSignal.wait(ms),
      isStopping: () => this.#stopping,
    });
    this.#refusals = new SettleRefusals({ ...options, component: this.name }, this.#refused);
  }

  async start(): Promise<void> {
    this.#stopping = false;
    this.#loop ??= this.#run();
  }

  /** Looks for records, or has the active relay of another replica look; to be called after a commit. */
  wake(): void {
    this.#wakeSignal.signal();
    if (this.#active) return;
    this.#telling ??= setTimeout(() => {
      this.#telling = undefined;
      // The active relay's poll finds what a lost signal announced.
      this.#options.lock.tell().catch(() => undefined);
    }, TELL_MS);
  }

  /** True while this relay has the lock. */
  isActive(): boolean {
    return this.#active;
  }

  /** Error of the last attempt, or of a topic that Kafka refuses; undefined while the relay works or stands by. */
  get failure(): unknown {
    const [refused] = this.#refused.all;
    return this.#failure ?? (refused === undefined ? undefined : new RecordSendError(refusalText(refused)));
  }

  /** Topics that Kafka refuses, and since when. */
  refusedTopics(now: number): readonly (Pick<RefusedTopic, 'topic' | 'code'> & { readonly since: Date })[] {
    const beganMs = now - performance.now();
    return this.#refused.all.map(({ topic, code, since }) => ({ topic, code, since: new Date(beganMs + since) }));
  }

  /** Number of comparisons with Kafka that were cut short, see `UnsentRows`. */
  get cutComparisons(): number {
    return this.#unsent.cutComparisons;
  }

  /** Ends after the batch in progress; a batch that takes too long is abandoned, and the next relay repeats it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#telling);
    this.#wakeSignal.signal();
    this.#stopSignal.signal();
    if (this.#loop !== undefined) await settlesWithin(STOP_TIMEOUT_MS, this.#loop);
    await this.#options.sender.close();
    this.#loop = undefined;
  }

  async #run(): Promise<void> {
    const { lock, logger, standbyMs = DEFAULT_STANDBY_MS } = this.#options;
    let troubles = 0;
    const progress = () => {
      troubles = 0;
      this.#failure = undefined;
    };
    while (!this.#stopping) {
      try {
        const held = await lock.tryAcquire(() => this.#wakeSignal.signal());
        if (held === null) {
          this.#failure = undefined;
          this.#unsent.forget();
          this.#refused.clear();
          await this.#stopSignal.wait(standbyMs);
        } else {
          await this.#relayUnder(held, progress);
          // Another replica may have the lock now.
          if (!this.#stopping) await this.#stopSignal.wait(2 * standbyMs);
        }
      } catch (err) {
        troubles += 1;
        this.#failure = err;
        const retryInMs = backoffMs(BACKOFF, troubles, Math.random());
        const cause = err instanceof Error ? err.cause : undefined;
        logger.warn(
          { err, cause, component: this.name, retryInMs },
          'The relay failed and tries again; unsent records stay in their order',
        );
        await this.#stopSignal.wait(retryInMs);
      }
    }
  }

  async #relayUnder(held: HeldLock, progress: () => void): Promise<void> {
    const { source, logger, pollMs = DEFAULT_POLL_MS } = this.#options;
    this.#active = true;
    logger.info({ component: this.name }, 'The relay is active');
    try {
      const tenure = await this.#begin(held);
      let pipe: Pipe = { acked: [], next: await this.#advance(tenure, [], []) };
      while (!this.#stopping) {
        if (pipe.next.length > 0) pipe = await this.#sendBeside(tenure, pipe);
        else {
          if (pipe.acked.length === 0) {
            if (this.#refused.mayPassElsewhere) break;
            const untilMs = this.#refused.msUntilNext(performance.now()) ?? pollMs;
            await this.#wakeSignal.wait(Math.min(untilMs, pollMs));
          }
          pipe = { acked: [], next: await this.#advance(tenure, pipe.acked, []) };
        }
        progress();
      }
      if (pipe.acked.length > 0) await source.markSent(held.connection, pipe.acked);
      await tenure.places.store(held.connection);
    } finally {
      this.#active = false;
      held.release();
    }
  }

  async #begin(held: HeldLock): Promise<Tenure> {
    const places = new RelayPlaces(this.source.name);
    await places.load(held.connection);
    this.#unsent.begin();
    return { held, places };
  }

  /** Sends the next rows; meanwhile marks acknowledged rows and fetches the rows after them. */
  async #sendBeside(tenure: Tenure, { acked, next }: Pipe): Promise<Pipe> {
    const { held, places } = tenure;
    assertHeld(held);
    const underWay = idsOf(next);
    // Waits for both before either failure counts: the lock must not be released during a send.
    const [sent, fetched] = await Promise.allSettled([
      this.#send(next),
      this.#gather(next).then(() => this.#advance(tenure, acked, underWay)),
    ]);
    if (sent.status === 'rejected') throw sent.reason;
    if (fetched.status === 'rejected') throw fetched.reason;
    const { places: first, refusals } = sent.value;
    places.note(first, next.length - refusals.size);
    if (refusals.size === 0) {
      await this.#refusals.accepted(tenure, next);
      return { acked: underWay, next: fetched.value };
    }
    await this.#refusals.settle(tenure, next, refusals);
    const now = performance.now();
    return { acked: [], next: fetched.value.filter(({ topic }) => !this.#refused.isWaiting(topic, now)) };
  }

  async #send(rows: readonly RelayRow[]): Promise<SendAnswer> {
    const startedAt = performance.now();
    const answer = await this.#options.sender.send(rows);
    this.#sentInMs = performance.now() - startedAt;
    return answer;
  }

  async #gather(rows: readonly RelayRow[]): Promise<void> {
    const bytes = rows.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
    if (rows.length >= GATHER.many || bytes >= FULL_BYTES) return;
    const ms = rows.length < GATHER.few ? LEAST_GATHER.fewMs : LEAST_GATHER.ms;
    await this.#stopSignal.wait(Math.max(ms, gatherMs(rows.length, this.#sentInMs, GATHER)));
  }

  #advance(
    { held, places }: Tenure,
    acked: readonly string[],
    underWay: readonly string[],
  ): Promise<readonly RelayRow[]> {
    const without = this.#refused.waiting(performance.now());
    return this.#unsent.advance(held, places, { limit: LIMIT, acked, underWay, without });
  }
}

function idsOf(rows: readonly RelayRow[]): string[] {
  return rows.map(({ id }) => id);
}
