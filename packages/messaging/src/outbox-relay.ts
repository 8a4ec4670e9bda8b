import type { Logger } from '@gondola/service-kit/logger';
import type { Startable } from '@gondola/service-kit/startable';

import { type Backoff, backoffMs } from './backoff.ts';
import { Nudge } from './nudge.ts';
import type { RecordSender } from './record-sender.ts';
import type { HeldLock, RelayLock } from './relay-lock.ts';
import type { RelayLimit, RelayRow, RelaySource } from './relay-source.ts';
import { settlesWithin } from './within.ts';

export interface OutboxRelayOptions {
  readonly source: RelaySource;
  readonly lock: RelayLock;
  readonly sender: RecordSender;
  readonly logger: Logger;
  /** How late a record may be noticed that was not nudged. Default 200. */
  readonly pollMs?: number;
  /** How often one that waits for the lock asks for it. Default 1,000. */
  readonly standbyMs?: number;
}

const DEFAULT_POLL_MS = 200;
const DEFAULT_STANDBY_MS = 1_000;
const BACKOFF: Backoff = { baseMs: 200, maxMs: 5_000 };
/**
 * kafkajs makes one batch of a partition's records, and the broker judges its size (`message.max.bytes`, by default 1,048,588), so all of a
 * send stays below that.
 */
const LIMIT: RelayLimit = { records: 500, bytes: 900_000 };
const STOP_TIMEOUT_MS = 5_000;

/**
 * Mechanism 3, the sending half: of all relays of a schema one is active; it sends strictly in the source's order and marks what Kafka has
 * acknowledged on the connection that holds the lock.
 *
 *   standby ──lock──▶ active: fetch ▶ send ▶ mark ▶ fetch …
 *      ▲                 │ Kafka or PostgreSQL away, lock lost
 *      └── back-off ◀────┘ (the lock is given up, so that a relay which can reach Kafka may have it)
 *
 * Gives: the first occurrences of an entity's records are in commit order; nothing is lost; without a failure nothing is sent twice, and after
 * one a record is repeated with the same key and `ce_id` (guarantee 2). A record that the broker will never take is parked, and later
 * records go on, those of its entity included: each record says all it has to say (an order event carries the whole view and its revision, so
 * a gap shows), while an entity that waits for an operator would be a silent one. Tested in outbox-relay*.int.spec.ts and
 * servers-away.int.spec.ts.
 */
export class OutboxRelay implements Startable {
  readonly name: string;
  readonly source: RelaySource;
  readonly #options: OutboxRelayOptions;
  /** Rung by new records and by `stop`. */
  readonly #news = new Nudge();
  /** Rung by `stop` only: new records must not hurry on one that waits for the lock, or for Kafka. */
  readonly #end = new Nudge();
  #loop: Promise<void> | undefined;
  #stopping = false;
  #active = false;

  constructor(options: OutboxRelayOptions) {
    this.#options = options;
    this.source = options.source;
    this.name = `${options.source.name} relay`;
  }

  async start(): Promise<void> {
    this.#stopping = false;
    this.#loop ??= this.#run();
  }

  /** Something was committed in this process: look now. */
  nudge(): void {
    this.#news.ring();
  }

  /** Whether this one has the lock. */
  isActive(): boolean {
    return this.#active;
  }

  /** Ends after the batch that is under way; one that takes too long is given up, and will be repeated by the next relay. */
  async stop(): Promise<void> {
    this.#stopping = true;
    this.#news.ring();
    this.#end.ring();
    if (this.#loop !== undefined) await settlesWithin(STOP_TIMEOUT_MS, this.#loop);
    await this.#options.sender.close();
    this.#loop = undefined;
  }

  async #run(): Promise<void> {
    const { lock, logger, standbyMs = DEFAULT_STANDBY_MS } = this.#options;
    let troubles = 0;
    while (!this.#stopping) {
      try {
        const held = await lock.tryAcquire();
        if (held === null) await this.#end.wait(standbyMs);
        else await this.#relayUnder(held, () => (troubles = 0));
      } catch (err) {
        troubles += 1;
        const retryInMs = backoffMs(BACKOFF, troubles, Math.random());
        logger.warn(
          { err, component: this.name, retryInMs },
          'The relay pauses; what it had to send stays in its place',
        );
        await this.#end.wait(retryInMs);
      }
    }
  }

  async #relayUnder(held: HeldLock, progress: () => void): Promise<void> {
    const { source, logger, pollMs = DEFAULT_POLL_MS } = this.#options;
    this.#active = true;
    logger.info({ component: this.name }, 'The relay is active');
    try {
      while (!this.#stopping) {
        const rows = await source.fetch(held.connection, LIMIT);
        if (rows.length === 0) await this.#news.wait(pollMs);
        else await this.#pass(held, rows);
        progress();
      }
    } finally {
      this.#active = false;
      held.release();
    }
  }

  /** Sends rows that are next. If the broker refuses, they go one by one, so that it is known whom it refuses. */
  async #pass(held: HeldLock, rows: readonly RelayRow[]): Promise<void> {
    const { source, sender, logger } = this.#options;
    if (!held.isHeld()) throw new Error('The connection that held the lock is broken');
    const answer = await sender.send(rows);
    if (answer.kind === 'sent') {
      await source.markSent(
        held.connection,
        rows.map(({ id }) => id),
      );
      return;
    }
    const [first, ...others] = rows;
    if (first === undefined) return;
    if (others.length > 0) {
      for (const row of rows) await this.#pass(held, [row]);
      return;
    }
    await source.park(held.connection, first.id, answer.code);
    logger.error(
      { component: this.name, topic: first.topic, outboxId: first.id, code: answer.code, bytes: first.value?.length },
      'Kafka will never take this record: it is parked until an operator decides',
    );
  }
}
