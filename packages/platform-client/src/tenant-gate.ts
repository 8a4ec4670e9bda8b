import pLimit from 'p-limit';
import {
  admit,
  type CallEvidence,
  INITIAL_PAUSE_STATE,
  type PauseCause,
  type PauseSettings,
  type PauseState,
  settle,
  waitOf,
} from './tenant-pause.ts';

export type Passage<T> =
  | { readonly kind: 'passed'; readonly result: T }
  /** The gate is shut and no call was made. */
  | { readonly kind: 'blocked'; readonly cause: PauseCause; readonly retryAfterMs: number };

export interface TenantGateOptions {
  /** Calls of the tenant that are under way at the same time, at most. */
  readonly concurrency: number;
  readonly pause: PauseSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * All calls of one tenant pass here: a fixed number at a time, none while the tenant is paused but the one probe (rules
 * 17, 36).
 */
export class TenantGate {
  readonly #options: TenantGateOptions;
  readonly #slots: ReturnType<typeof pLimit>;
  #state: PauseState = INITIAL_PAUSE_STATE;

  constructor(options: TenantGateOptions) {
    this.#options = options;
    this.#slots = pLimit(options.concurrency);
  }

  /**
   * Milliseconds since 1970 at which the probe may go; in the past while the probe is awaited or under way; null while
   * the gate is open.
   */
  pausedUntil(): number | null {
    return this.#state.kind === 'open' ? null : this.#state.until;
  }

  /** Milliseconds for which a call would be turned away now, above 0; null when it would be let through. */
  waitMs(): number | null {
    return waitOf(this.#state, this.#options.now(), this.#options.pause)?.retryAfterMs ?? null;
  }

  /**
   * Makes the call when the gate lets it through, else answers at once.
   *
   * @param evidenceOf what the result shows about the platform; a call that throws shows nothing
   */
  async pass<T>(call: () => Promise<T>, evidenceOf: (result: T) => CallEvidence): Promise<Passage<T>> {
    const { now, pause } = this.#options;
    // Before the queue, so that nobody waits for a slot only to hear that the tenant is paused; and again with the slot
    // in hand.
    const wait = waitOf(this.#state, now(), pause);
    if (wait !== null) return { kind: 'blocked', ...wait };
    return this.#slots(() => this.#callWithSlot(call, evidenceOf));
  }

  async #callWithSlot<T>(call: () => Promise<T>, evidenceOf: (result: T) => CallEvidence): Promise<Passage<T>> {
    const { now, pause, random } = this.#options;
    const [state, admission] = admit(this.#state, now(), pause);
    this.#state = state;
    if (admission.kind === 'wait') return { ...admission, kind: 'blocked' };
    let evidence: CallEvidence = { kind: 'nothing' };
    try {
      const result = await call();
      evidence = evidenceOf(result);
      return { kind: 'passed', result };
    } finally {
      this.#state = settle(this.#state, admission.ticket, evidence, now(), random(), pause);
    }
  }
}
