import type { ConsumerLag } from '@gondola/messaging/consumer-lag';
import type { ConsumedRecords } from '../application/file-lane.ts';

/** What the whole consumer group has taken in; while the broker does not answer, nothing counts as taken in. */
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
    if (!this.#isAsking) void this.#check();
  }

  async #check(): Promise<void> {
    this.#isAsking = true;
    try {
      await this.#lag.check();
    } catch {
      // That Kafka is away is logged and measured where it is consumed; who asked asks again.
    } finally {
      this.#isAsking = false;
    }
  }
}
