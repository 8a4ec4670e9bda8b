import type { Logger } from '@gondola/service-kit/logging/logger';
import type { RecordSender } from '@gondola/kafka/produce/kafka-sender';

import { assertHeld, type HeldLock } from './relay-lock.ts';
import type { RelayPlaces } from './relay-places.ts';
import type { RelayRow, RelaySource, RelayStep } from './relay-source.ts';
import { COMPARED_ROWS, SentBefore } from './sent-before.ts';

/** A relay that was killed may have a request in its broker's queue; what it holds is in the topic after this time. */
const SETTLE_MS = 200;
/** Pause between two looks whether a comparison is still of use. */
const WATCH_MS = 100;

export interface UnsentRowsOptions {
  readonly source: RelaySource;
  readonly sender: Pick<RecordSender, 'sentSince'>;
  readonly logger: Logger;
  /** Name of the relay in the log. */
  readonly component: string;
  /** Waits, unless the relay is stopped. */
  readonly pause: (ms: number) => Promise<unknown>;
  readonly isStopping: () => boolean;
}

/**
 * Rows of a source that are not in Kafka: the first ones after a take-over are compared with what a relay before this
 * one may have sent and not marked (`SentBefore`); all later ones are the source's.
 */
export class UnsentRows {
  readonly #options: UnsentRowsOptions;
  readonly #before: SentBefore;

  constructor(options: UnsentRowsOptions) {
    this.#options = options;
    this.#before = new SentBefore(options.sender, options.logger, options.component);
  }

  /** Number of comparisons with Kafka that were cut short. */
  get cutComparisons(): number {
    return this.#before.cuts;
  }

  /** To be called when the relay becomes active. */
  begin(): void {
    this.#before.begin();
  }

  /** To be called when another relay is active. */
  forget(): void {
    this.#before.forget();
  }

  /** As `RelaySource.advance`, without rows that are in Kafka already: these are marked. */
  async advance(held: HeldLock, places: RelayPlaces, step: RelayStep): Promise<readonly RelayRow[]> {
    const { source, logger, component } = this.#options;
    const before = this.#before;
    let rows = await source.advance(held.connection, step);
    if (before.isOver) {
      before.settle(places);
      await places.storeIfDue(held.connection);
      return rows;
    }
    while (rows.length > 0) {
      if (!before.isRead) await this.#compare(held, places);
      const { sent, unsent } = before.divide(rows);
      if (sent.length === 0) return rows;
      const ids = sent.map(({ id }) => id);
      await source.markSent(held.connection, ids);
      logger.info({ component, records: ids.length }, 'Records that are in Kafka already are not sent again');
      if (unsent.length > 0) return unsent;
      rows = await source.advance(held.connection, { ...step, acked: [] });
    }
    // Rows of a topic that waits were not compared yet.
    if ((step.without ?? []).length === 0) before.end();
    return rows;
  }

  /** Looks in Kafka for the rows that wait now; those that are committed later nobody can have sent before. */
  async #compare(held: HeldLock, places: RelayPlaces): Promise<void> {
    const { source, pause, isStopping } = this.#options;
    await pause(SETTLE_MS);
    const topics = await source.waitingTopics(held.connection, COMPARED_ROWS);
    const useless = new AbortController();
    const watch = setInterval(() => {
      if (isStopping() || !held.isHeld()) useless.abort();
    }, WATCH_MS);
    await this.#before.read(topics, places, useless.signal);
    clearInterval(watch);
    assertHeld(held);
  }
}
