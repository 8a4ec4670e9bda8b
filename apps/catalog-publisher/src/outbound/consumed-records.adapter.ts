import type { ConsumerLag } from '@gondola/messaging/consumer-lag';
import type { Startable } from '@gondola/service-kit/startable';
import type { ConsumedRecords } from '../application/consumed-records.ts';

/** A broker that answers has done so by then. */
const ANSWER_MS = 50;
/** What is behind needs a while to be worked off. */
const BEHIND_MS = 500;
const AWAY_MS = 2_000;

/**
 * What the whole consumer group has taken in. The broker is asked in the background where the last answer is too old, so that a lane waits
 * for it without holding a step; while the broker does not answer, nothing counts as taken in.
 */
export class ConsumedRecordsAdapter implements ConsumedRecords, Startable {
  readonly name = 'consumed records';
  readonly #lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>;
  #asking: Promise<void> | null = null;
  #isAway = false;
  /** When the last question that was answered was asked; milliseconds since 1970. */
  #askedAt = -Infinity;

  constructor(lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>) {
    this.#lag = lag;
  }

  upTo(): number | null {
    return this.#lag.consumedUpTo();
  }

  ask(untilMs: number): number {
    this.#asking ??= this.#ask().finally(() => {
      this.#asking = null;
    });
    if (this.#isAway) return AWAY_MS;
    return this.#askedAt >= untilMs ? BEHIND_MS : ANSWER_MS;
  }

  async start(): Promise<void> {}

  /** A question under way would connect again what is closed meanwhile. */
  async stop(): Promise<void> {
    await this.#asking;
  }

  async #ask(): Promise<void> {
    const at = Date.now();
    try {
      await this.#lag.check();
      this.#isAway = false;
      this.#askedAt = at;
    } catch {
      // Asked again at the next look; that Kafka is away is logged and measured where it is consumed.
      this.#isAway = true;
    }
  }
}
