import { Agent } from 'undici';
import type { CallContext, NotSentCause, Unavailable } from './answers.ts';
import { type CallObserver, observeSafely, type RouteName } from './call-observation.ts';
import { type CalledEntity, evidenceOf } from './classify.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type PlatformAccess, type PlatformCall, platformRequest } from './platform-request.ts';
import { TenantGate } from './tenant-gate.ts';
import { DEFAULT_PAUSE_SETTINGS, type PauseSettings } from './tenant-pause.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/** Silence between two pieces of an answer. */
const BODY_SILENCE_MS = 10_000;

export interface TenantCallerOptions extends PlatformAccess {
  /** The tenant's id in the tenants file; only told to the observer. */
  readonly tenant: string;
  /** Calls under way at the same time, at most. */
  readonly concurrency: number;
  readonly pause?: Partial<PauseSettings>;
  /** Hears of every call, also of those that a pause turned away. */
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

/** Makes the calls of one tenant: through its gate, once each, each told to the observer. */
export class TenantCaller {
  readonly #options: TenantCallerOptions;
  readonly #now: () => number;
  readonly #pause: PauseSettings;
  readonly #gate: TenantGate;
  readonly #agent: Agent;
  #closing: Promise<void> | null = null;

  constructor(options: TenantCallerOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.timeOrigin + performance.now());
    this.#pause = { ...DEFAULT_PAUSE_SETTINGS, ...options.pause };
    this.#gate = new TenantGate({
      concurrency: options.concurrency,
      pause: this.#pause,
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
    const passage = await this.#gate.pass(
      () => {
        startedAt = this.#now();
        return exchange(this.#agent, request, { timeoutMs, signal: context.signal });
      },
      (end) => evidenceOf(end, this.#now(), call),
    );
    const ms = this.#now() - startedAt;
    const { tenant, observe } = this.#options;
    if (passage.kind === 'blocked') {
      const answer = { ...passage, kind: 'unavailable' } as const;
      observeSafely(observe, { tenant, route, kind: answer.kind, cause: answer.cause, status: null, ms: 0 });
      return answer;
    }
    const end = passage.result;
    const answer = toAnswer(end, this.#gate.waitMs() ?? this.#pause.basePauseMs);
    const status = end.phase === 'answered' ? end.status : null;
    observeSafely(observe, { tenant, route, kind: answer.kind, cause: answer.cause ?? null, status, ms });
    return answer;
  }

  pausedUntil(): number | null {
    return this.#gate.pausedUntil();
  }

  async close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    await this.#closing;
  }
}
