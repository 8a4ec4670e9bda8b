import { Agent } from 'undici';
import type { CallContext, NotSentCause, Unavailable } from './answers.ts';
import { type CallObserver, observeSafely, type RouteName } from './call-observation.ts';
import { type CalledEntity, evidenceOf } from './classify.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type PlatformAccess, type PlatformCall, platformRequest } from './platform-request.ts';
import { TenantPassage } from './tenant-passage.ts';
import { DEFAULT_BREAKER_SETTINGS, type BreakerSettings } from './circuit-breaker.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Silence between two pieces of an answer. */
const BODY_SILENCE_MS = 10_000;

export interface TenantCallerOptions extends PlatformAccess {
  /** The tenant's id in the tenants file; only shown to the observer. */
  readonly tenant: string;
  /** Calls under way at the same time, at most. */
  readonly concurrency: number;
  readonly breaker?: Partial<BreakerSettings>;
  /** Hears of every call, also of those that an open circuit breaker turned away. */
  readonly observe?: CallObserver;
  /** Milliseconds since 1970; default a clock that never steps back. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

export interface TenantCall extends PlatformCall, CalledEntity {
  readonly route: RouteName;
  /** The whole call without its wait for a slot, in milliseconds. */
  readonly timeoutMs: number;
}

/** Makes the calls of one tenant: through its bulkhead and circuit breaker, once each, each shown to the observer. */
export class TenantCaller {
  readonly #options: TenantCallerOptions;
  readonly #now: () => number;
  readonly #breaker: BreakerSettings;
  readonly #passage: TenantPassage;
  readonly #agent: Agent;
  #closing: Promise<void> | null = null;

  constructor(options: TenantCallerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.timeOrigin + performance.now());
    this.#breaker = { ...DEFAULT_BREAKER_SETTINGS, ...options.breaker };
    this.#passage = new TenantPassage({
      concurrency: options.concurrency,
      breaker: this.#breaker,
      now: this.#now,
      random: options.random ?? Math.random,
    });
    this.#agent = new Agent({
      connections: options.concurrency,
      // A call's own time-out ends it sooner where that is shorter.
      connect: { timeout: CONNECT_TIMEOUT_MS },
      // HTTP/2 would send requests of a connection that goes away a second time.
      allowH2: false,
    });
  }

  /**
   * @param toAnswer what the caller may conclude; `retryAfterMs` is when a call may go through again
   * @throws PlatformClientError for a call that cannot be made at all, or whose content cannot be read
   */
  async call<Answer extends { readonly kind: string; readonly cause?: string }>(
    call: TenantCall,
    context: CallContext,
    toAnswer: (end: Exchange, retryAfterMs: number) => Answer,
  ): Promise<Answer | Unavailable<NotSentCause>> {
    const { route, timeoutMs } = call;
    const request = {
      ...platformRequest(this.#options, { ...call, traceparent: context.traceparent }),
      headersTimeout: timeoutMs,
      bodyTimeout: Math.min(BODY_SILENCE_MS, timeoutMs),
    };
    let startedAt = this.#now();
    const passage = await this.#passage.pass(
      () => {
        startedAt = this.#now();
        return exchange(this.#agent, request, { timeoutMs, signal: context.signal });
      },
      (end) => evidenceOf(end, this.#now(), call),
      context.urgent,
    );
    const ms = this.#now() - startedAt;
    const { tenant, observe } = this.#options;
    if (passage.kind === 'blocked') {
      const answer = { ...passage, kind: 'unavailable' } as const;
      observeSafely(observe, { tenant, route, kind: answer.kind, cause: answer.cause, status: null, ms: 0 });
      return answer;
    }
    const end = passage.result;
    const answer = toAnswer(end, this.#passage.waitMs() ?? this.#breaker.firstOpenMs);
    const status = end.phase === 'answered' ? end.status : null;
    observeSafely(observe, { tenant, route, kind: answer.kind, cause: answer.cause ?? null, status, ms });
    return answer;
  }

  openUntil(): number | null {
    return this.#passage.openUntil();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    await this.#closing;
  }
}
