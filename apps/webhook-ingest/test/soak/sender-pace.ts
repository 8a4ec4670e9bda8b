import { setTimeout as pause } from 'node:timers/promises';

/**
 * Pace of the senders: without pause, except while a server or replica starts. Load has no purpose then, and on a
 * busy machine it only prolongs the start.
 */
export class SenderPace {
  readonly #restMs: number;
  #starting = 0;

  constructor(restMs: number) {
    this.#restMs = restMs;
  }

  /** Makes senders pause between two deliveries until `start` has settled. */
  async during<T>(start: () => Promise<T>): Promise<T> {
    this.#starting += 1;
    try {
      return await start();
    } finally {
      this.#starting -= 1;
    }
  }

  /** To be called before each delivery. */
  async turn(): Promise<void> {
    if (this.#starting > 0 && this.#restMs > 0) await pause(this.#restMs);
  }
}
