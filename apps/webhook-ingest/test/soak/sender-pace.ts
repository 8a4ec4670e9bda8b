import { setTimeout as pause } from 'node:timers/promises';

/**
 * How fast senders deliver: as fast as it goes, except while the start of a server or of a replica is awaited. Load
 * serves no purpose then but to be there, and on a busy machine it only makes the start longer.
 */
export class SenderPace {
  readonly #restMs: number;
  #starting = 0;

  constructor(restMs: number) {
    this.#restMs = restMs;
  }

  /** Senders rest between two deliveries until `start` has settled. */
  async during<T>(start: () => Promise<T>): Promise<T> {
    this.#starting += 1;
    try {
      return await start();
    } finally {
      this.#starting -= 1;
    }
  }

  /** Before each delivery. */
  async turn(): Promise<void> {
    if (this.#starting > 0 && this.#restMs > 0) await pause(this.#restMs);
  }
}
