import type { ConsumerLag } from '@gondola/messaging/consumer-lag';
import type { ConsumedRecords } from '../application/consumed-records.ts';

/**
 * What the whole consumer group has taken in. The broker is asked in the background where the last answer is too old, so that a lane waits
 * for it without holding a step; while the broker does not answer, nothing counts as taken in.
 */
export class ConsumedRecordsAdapter implements ConsumedRecords {
  readonly #lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>;
  #isAsking = false;

  constructor(lag: Pick<ConsumerLag, 'check' | 'consumedUpTo'>) {
    this.#lag = lag;
  }

  upTo(): number | null {
    return this.#lag.consumedUpTo();
  }

  ask(): void {
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#lag.check();
    } catch {
      // Asked again at the next look; that Kafka is away is logged and measured where it is consumed.
    } finally {
      this.#isAsking = false;
    }
  }
}
