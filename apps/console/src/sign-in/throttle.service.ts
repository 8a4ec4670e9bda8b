import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { afterAttempt, type AttemptPace, isSlowed, waitMs } from './attempt-pace.ts';

/** Callers that are remembered of each kind: those with some failures, and those with enough to have to wait. */
const MOST_KEYS = 10_000;

/** Slows down attempts to sign in, for each of their keys, such as an address, or a name from an address. */
@Injectable()
export class Throttle {
  /** Those that were heard longest ago first. Who has to wait is not forgotten for the sake of others who have not. */
  readonly #paces = { free: new Map<string, AttemptPace>(), slowed: new Map<string, AttemptPace>() };

  constructor(private readonly clock: Clock) {}

  /** Milliseconds until an attempt would be heard; 0: now. */
  waitMs(keys: readonly string[]): number {
    const now = this.clock.now();
    return Math.max(...keys.map((key) => waitMs(this.#paceOf(key), now)));
  }

  /** Milliseconds until an attempt is heard; 0: it is heard now, and counts as failed until `succeeded`. */
  attempt(keys: readonly string[]): number {
    const wait = this.waitMs(keys);
    if (wait > 0) return wait;
    for (const key of keys) {
      const pace = afterAttempt(this.#paceOf(key), this.clock.now());
      this.#forget(key);
      const paces = isSlowed(pace) ? this.#paces.slowed : this.#paces.free;
      paces.set(key, pace);
      if (paces.size > MOST_KEYS) paces.delete(paces.keys().next().value!);
    }
    return 0;
  }

  succeeded(keys: readonly string[]): void {
    for (const key of keys) this.#forget(key);
  }

  #paceOf(key: string): AttemptPace | undefined {
    return this.#paces.free.get(key) ?? this.#paces.slowed.get(key);
  }

  #forget(key: string): void {
    this.#paces.free.delete(key);
    this.#paces.slowed.delete(key);
  }
}
