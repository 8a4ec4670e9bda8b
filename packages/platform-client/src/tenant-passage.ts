import pLimit from 'p-limit';
import {
  admit,
  type CallEvidence,
  INITIAL_BREAKER_STATE,
  type OpenCause,
  type BreakerSettings,
  type BreakerState,
  settle,
  waitOf,
} from './circuit-breaker.ts';

export type Passage<T> =
  | { readonly kind: 'passed'; readonly result: T }
  /** The circuit breaker is open and no call was made. */
  | { readonly kind: 'blocked'; readonly cause: OpenCause; readonly retryAfterMs: number };

export interface TenantPassageOptions {
  /** Calls of the tenant that are under way at the same time, at most. */
  readonly concurrency: number;
  readonly breaker: BreakerSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * All calls of one tenant pass here, through its bulkhead (a fixed number at a time) and its circuit breaker (rules 17,
 * 36).
 */
export class TenantPassage {
  readonly #options: TenantPassageOptions;
  readonly #slots: ReturnType<typeof pLimit>;
  /** In front of the slots, so that no more ordinary calls queue there than have one: an urgent one is next. */
  readonly #ordinary: ReturnType<typeof pLimit>;
  #state: BreakerState = INITIAL_BREAKER_STATE;

  constructor(options: TenantPassageOptions) {
    this.#options = options;
    this.#slots = pLimit(options.concurrency);
    this.#ordinary = pLimit(options.concurrency);
  }

  /**
   * Milliseconds since 1970 at which the trial call may go; in the past while it is awaited or under way; null while
   * the circuit breaker is closed.
   */
  openUntil(): number | null {
    return this.#state.kind === 'closed' ? null : this.#state.until;
  }

  /** Milliseconds for which a call would be turned away now, above 0; null when it would be let through. */
  waitMs(): number | null {
    return waitOf(this.#state, this.#options.now(), this.#options.breaker)?.retryAfterMs ?? null;
  }

  /**
   * Makes the call when the circuit breaker lets it through, else answers at once.
   *
   * @param evidenceOf what the result shows about the platform; a call that throws shows nothing
   * @param urgent takes the next slot that is free, before all calls that are not urgent
   */
  async pass<T>(call: () => Promise<T>, evidenceOf: (result: T) => CallEvidence, urgent = false): Promise<Passage<T>> {
    const { now, breaker } = this.#options;
    // Before the queue, so that nobody waits for a slot only to hear that the breaker is open; and again with the slot
    // in hand.
    const wait = waitOf(this.#state, now(), breaker);
    if (wait !== null) return { kind: 'blocked', ...wait };
    const inSlot = (): Promise<Passage<T>> => this.#slots(() => this.#callWithSlot(call, evidenceOf));
    return urgent ? inSlot() : this.#ordinary(inSlot);
  }

  async #callWithSlot<T>(call: () => Promise<T>, evidenceOf: (result: T) => CallEvidence): Promise<Passage<T>> {
    const { now, breaker, random } = this.#options;
    const [state, admission] = admit(this.#state, now(), breaker);
    this.#state = state;
    if (admission.kind === 'wait') return { ...admission, kind: 'blocked' };
    let evidence: CallEvidence = { kind: 'nothing' };
    try {
      const result = await call();
      evidence = evidenceOf(result);
      return { kind: 'passed', result };
    } finally {
      this.#state = settle(this.#state, admission.ticket, evidence, now(), random(), breaker);
    }
  }
}
