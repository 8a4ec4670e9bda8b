import { setTimeout as pause } from 'node:timers/promises';

/** Pause of each sender between two deliveries while a server or replica starts. */
const REST_MS = 50;

/**
 * Pace of the senders: without pause, except while a server or replica starts. More load has no purpose then, and on
 * a busy machine it only prolongs the start.
 */
export class SenderPace {
  #starting = 0;

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
    if (this.#starting > 0) await pause(REST_MS);
  }
}
