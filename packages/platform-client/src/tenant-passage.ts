import { Slots } from '@gondola/shared/slots';
import {
  admit,
  type CallEvidence,
  endPause,
  INITIAL_BREAKER_STATE,
  type OpenCause,
  type BreakerSettings,
  type BreakerState,
  type ScopedEvidence,
  settle,
  waitOf,
} from './circuit-breaker.ts';

export type Passage<T> =
  | { readonly kind: 'passed'; readonly result: T }
  /** The circuit breaker is open, and no call was made. */
  | { readonly kind: 'blocked'; readonly cause: OpenCause; readonly retryAfterMs: number };

/** An open circuit breaker. */
export interface Pause {
  /** Null: all calls of the tenant. */
  readonly route: string | null;
  readonly cause: OpenCause;
  /** When it opened, however often a trial call has failed since; milliseconds since 1970. */
  readonly since: number;
  /** When a trial call may be made; in the past while it is awaited. */
  readonly until: number;
}

export interface TenantPassageOptions {
  /** Maximum number of concurrent calls of the tenant. */
  readonly concurrency: number;
  readonly breaker: BreakerSettings;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/**
 * Bulkhead (a fixed number of concurrent calls) and circuit breakers for all calls of one tenant (rules 17, 36).
 *
 * A breaker of the tenant obeys 401, 403 and 429, and a platform without a connection. Each route has a breaker of its
 * own for what fails behind it: an outage of one route, or of changes while reads work, stops its own calls alone
 * (guarantee 5), and answers of other routes are no evidence against it. A call needs both.
 */
export class TenantPassage {
  readonly #options: TenantPassageOptions;
  readonly #slots: Slots;
  /**
   * Limits the ordinary calls that run or wait for a slot to the number of slots, so that an urgent call is next.
   */
  readonly #ordinary: Slots;
  #tenant: BreakerState = INITIAL_BREAKER_STATE;
  readonly #routes = new Map<string, BreakerState>();
  /** Of each open breaker, by route; null: the tenant's. */
  readonly #openSince = new Map<string | null, number>();

  constructor(options: TenantPassageOptions) {
    this.#options = options;
    this.#slots = new Slots(options.concurrency);
    this.#ordinary = new Slots(options.concurrency);
  }

  /**
   * Time at which a call of the route may be made, in milliseconds since 1970; in the past while a trial call is
   * awaited or open; null while the breakers of tenant and route are closed.
   */
  openUntil(route: string): number | null {
    const open = [this.#tenant, this.#of(route)].filter((state) => state.kind !== 'closed');
    return open.length === 0 ? null : Math.max(...open.map(({ until }) => until));
  }

  /** The open breakers, that of the tenant first. */
  pauses(): Pause[] {
    return [[null, this.#tenant] as const, ...this.#routes].flatMap(([route, state]) => {
      const since = this.#openSince.get(route);
      return state.kind === 'closed' || since === undefined
        ? []
        : [{ route, cause: state.cause, since, until: state.until }];
    });
  }

  /** Ends the pause of a route, null for that of the tenant: the next call is the trial call. */
  endPause(route: string | null): void {
    const nowMs = this.#options.now();
    if (route === null) this.#tenant = endPause(this.#tenant, nowMs);
    else this.#routes.set(route, endPause(this.#of(route), nowMs));
  }

  /** Milliseconds for which a call of the route would now be rejected, above 0; null if it would be let through. */
  waitMs(route: string): number | null {
    return this.#wait(route)?.retryAfterMs ?? null;
  }

  /**
   * Makes the call if both circuit breakers let it through, else returns at once.
   *
   * @param route name of the call's route, one of a small number
   * @param evidenceOf evidence of the result about the platform; a call that throws is no evidence
   * @param urgent takes the next free slot, before all calls that are not urgent
   */
  async pass<T>(
    route: string,
    call: () => Promise<T>,
    evidenceOf: (result: T) => ScopedEvidence,
    urgent = false,
  ): Promise<Passage<T>> {
    // Checked before the queue, so that no call waits for a slot while a breaker is open, and again with the slot.
    const wait = this.#wait(route);
    if (wait !== null) return { kind: 'blocked', ...wait };
    const inSlot = (): Promise<Passage<T>> => this.#slots.run(() => this.#callWithSlot(route, call, evidenceOf));
    return urgent ? inSlot() : this.#ordinary.run(inSlot);
  }

  async #callWithSlot<T>(
    route: string,
    call: () => Promise<T>,
    evidenceOf: (result: T) => ScopedEvidence,
  ): Promise<Passage<T>> {
    const { now, breaker, random } = this.#options;
    const nowMs = now();
    const [tenant, ofTenant] = admit(this.#tenant, nowMs, breaker);
    const [state, ofRoute] = admit(this.#of(route), nowMs, breaker);
    if (ofTenant.kind === 'wait') return { ...ofTenant, kind: 'blocked' };
    if (ofRoute.kind === 'wait') return { ...ofRoute, kind: 'blocked' };
    this.#tenant = tenant;
    this.#routes.set(route, state);
    let shown: ScopedEvidence = { scope: 'tenant', evidence: { kind: 'nothing' } };
    try {
      const result = await call();
      shown = evidenceOf(result);
      return { kind: 'passed', result };
    } finally {
      const learned = evidenceForBoth(shown);
      this.#tenant = settle(this.#tenant, ofTenant.ticket, learned.tenant, now(), random(), breaker);
      this.#routes.set(route, settle(this.#of(route), ofRoute.ticket, learned.route, now(), random(), breaker));
      this.#noteOpening(null, this.#tenant);
      this.#noteOpening(route, this.#of(route));
    }
  }

  #noteOpening(route: string | null, { kind }: BreakerState): void {
    if (kind === 'closed') this.#openSince.delete(route);
    else if (!this.#openSince.has(route)) this.#openSince.set(route, this.#options.now());
  }

  /** The longer one of the two waits; null if a call would be let through. */
  #wait(route: string): { cause: OpenCause; retryAfterMs: number } | null {
    const { now, breaker } = this.#options;
    const waits = [this.#tenant, this.#of(route)].flatMap((state) => waitOf(state, now(), breaker) ?? []);
    return waits.toSorted((one, other) => other.retryAfterMs - one.retryAfterMs)[0] ?? null;
  }

  #of(route: string): BreakerState {
    return this.#routes.get(route) ?? INITIAL_BREAKER_STATE;
  }
}

/** An answer is evidence for tenant and route; trouble only for the one that it is about. */
function evidenceForBoth({ scope, evidence }: ScopedEvidence): Record<'tenant' | 'route', CallEvidence> {
  if (evidence.kind === 'answered') return { tenant: evidence, route: evidence };
  const nothing: CallEvidence = { kind: 'nothing' };
  return scope === 'tenant' ? { tenant: evidence, route: nothing } : { tenant: nothing, route: evidence };
}
