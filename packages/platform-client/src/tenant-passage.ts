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
  /** The circuit breaker is open, and no call was made. */
  | { readonly kind: 'blocked'; readonly cause: OpenCause; readonly retryAfterMs: number };

export interface TenantPassageOptions {
  /** Maximum number of concurrent calls of the tenant. */
  readonly concurrency: number;
  readonly breaker: BreakerSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Bulkhead (a fixed number of concurrent calls) and circuit breaker for all calls of one tenant (rules 17, 36). */
export class TenantPassage {
  readonly #options: TenantPassageOptions;
  readonly #slots: ReturnType<typeof pLimit>;
  /**
   * Limits the ordinary calls that run or wait for a slot to the number of slots, so that an urgent call is next.
   */
  readonly #ordinary: ReturnType<typeof pLimit>;
  #state: BreakerState = INITIAL_BREAKER_STATE;

  constructor(options: TenantPassageOptions) {
    this.#options = options;
    this.#slots = pLimit(options.concurrency);
    this.#ordinary = pLimit(options.concurrency);
  }

  /**
   * Time at which the trial call may be made, in milliseconds since 1970; in the past while the trial call is
   * awaited or open; null while the circuit breaker is closed.
   */
  openUntil(): number | null {
    return this.#state.kind === 'closed' ? null : this.#state.until;
  }

  /** Milliseconds for which a call would now be rejected, above 0; null if it would be let through. */
  waitMs(): number | null {
    return waitOf(this.#state, this.#options.now(), this.#options.breaker)?.retryAfterMs ?? null;
  }

  /**
   * Makes the call if the circuit breaker lets it through, else returns at once.
   *
   * @param evidenceOf evidence of the result about the platform; a call that throws is no evidence
   * @param urgent takes the next free slot, before all calls that are not urgent
   */
  async pass<T>(call: () => Promise<T>, evidenceOf: (result: T) => CallEvidence, urgent = false): Promise<Passage<T>> {
    const { now, breaker } = this.#options;
    // Checked before the queue, so that no call waits for a slot while the breaker is open, and again with the
    // slot.
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
