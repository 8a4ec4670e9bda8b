import type { ConsumerLag } from '@gondola/messaging/consumer-lag';
import type { ConsumedRecords } from '../application/consumed-records.ts';

/** A broker that answers has done so by then. */
const ANSWER_MS = 100;
const AWAY_MS = 2_000;

/**
 * What the whole consumer group has taken in. The broker is asked in the background where the last answer is too old, so that a lane waits
 * for it without holding a step; while the broker does not answer, nothing counts as taken in.
 */
export class ConsumedRecordsAdapter implements ConsumedRecords {
  readonly #lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>;
  #isAsking = false;
  #isAway = false;

  constructor(lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>) {
    this.#lag = lag;
  }

  upTo(): number | null {
    return this.#lag.consumedUpTo();
  }

  ask(): number {
    if (!this.#isAsking) void this.#ask();
    return this.#isAway ? AWAY_MS : ANSWER_MS;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#lag.check();
      this.#isAway = false;
    } catch {
      this.#isAway = true;
      // Asked again at the next look; that Kafka is away is logged and measured where it is consumed.
    } finally {
      this.#isAsking = false;
    }
  }
}
