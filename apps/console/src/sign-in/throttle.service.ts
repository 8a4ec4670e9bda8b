import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { afterAttempt, type AttemptPace, waitMs } from './attempt-pace.ts';

/** Names and addresses that are remembered; beyond it the one that was heard longest ago is forgotten. */
const MOST_KEYS = 10_000;

/** Slows down attempts to sign in, for each name and for each address. */
@Injectable()
export class Throttle {
  readonly #paces = new Map<string, AttemptPace>();

  constructor(private readonly clock: Clock) {}

  /** Milliseconds until an attempt is heard; 0: it is heard now, and counts as failed until `succeeded`. */
  attempt(keys: readonly string[]): number {
    const now = this.clock.now();
    const wait = Math.max(...keys.map((key) => waitMs(this.#paces.get(key), now)));
    if (wait > 0) return wait;
    for (const key of keys) {
      const pace = afterAttempt(this.#paces.get(key), now);
      // Deleted and set again, it is the newest of the map.
      this.#paces.delete(key);
      this.#paces.set(key, pace);
    }
    while (this.#paces.size > MOST_KEYS) this.#paces.delete(this.#paces.keys().next().value!);
    return 0;
  }

  succeeded(keys: readonly string[]): void {
    for (const key of keys) this.#paces.delete(key);
  }
}
