import type { NotSentCause } from '@gondola/shared/commands/attempts';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import type { CallContext, Unavailable } from './answers.ts';
import { type CalledEntity, evidenceOf } from './classify.ts';
import { type Exchange, exchange } from './exchange.ts';
import { type PlatformAccess, type PlatformCall, platformRequest } from './platform-request.ts';
import type { RouteName } from './routes.ts';
import { type Pause, TenantPassage } from './tenant-passage.ts';
import { DEFAULT_BREAKER_SETTINGS, type BreakerSettings } from './circuit-breaker.ts';

const CONNECT_TIMEOUT_MS = 5_000;
/**
 * A call's own time-out applies if it is shorter. HTTP/2 would repeat the requests of a connection that is closed by
 * GOAWAY.
 */
const CONNECT = buildConnector({ timeout: CONNECT_TIMEOUT_MS, allowH2: false });
/** Longest pause between two chunks of an answer. */
const BODY_SILENCE_MS = 10_000;

/**
 * Summary of one call, for log and metrics. Contains no body, no credential, and no reference of a person or an
 * order.
 */
export interface CallObservation {
  readonly tenant: string;
  readonly route: RouteName;
  /** `kind` and `cause` of the answer. */
  readonly kind: string;
  readonly cause: string | null;
  /** HTTP status; null if none arrived or no call was made. */
  readonly status: number | null;
  /** Duration of the call in milliseconds, without the wait for a slot; 0 if no call was made. */
  readonly ms: number;
}

export type CallObserver = (observation: CallObservation) => void;

/** A call that is about to be made. Contains nothing that names a person, an order or a SKU. */
export interface TracedCall extends Pick<CallContext, 'traceparent' | 'links'> {
  readonly tenant: string;
  readonly route: RouteName;
  readonly method: PlatformCall['method'];
  /** Path with its holes, without the query. */
  readonly template: string;
  readonly baseUrl: string;
}

/** Span of a call, from before its wait for a slot. */
export interface CallSpan {
  /** Sent with the call. */
  readonly traceparent: string;
  end(observation: CallObservation): void;
}

export interface TenantCallerOptions extends PlatformAccess {
  /** The tenant's id in the tenants file; only passed to the observer. */
  readonly tenant: string;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  readonly breaker?: Partial<BreakerSettings>;
  /** Called for every call, including those that an open circuit breaker rejected. */
  readonly observe?: CallObserver;
  /** Begins the span of a call. Default: none, and the command's `traceparent` is sent. */
  readonly trace?: (call: TracedCall) => CallSpan;
  /** Milliseconds since 1970; default: a clock that never steps back. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

export interface TenantCall extends PlatformCall, CalledEntity {
  readonly route: RouteName;
  /** `path` before its holes were filled. */
  readonly template: string;
  /** Time limit of the whole call without its wait for a slot, in milliseconds. */
  readonly timeoutMs: number;
}

/**
 * Makes the calls of one tenant through its bulkhead and circuit breakers; each call is made once and reported to
 * the observer.
 */
export class TenantCaller {
  readonly #options: TenantCallerOptions;
  readonly #now: () => number;
  readonly #breaker: BreakerSettings;
  readonly #passage: TenantPassage;
  readonly #agent: Agent;
  #certificateExpiresAt: number | null = null;
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
      connect: (target, done) =>
        CONNECT(target, (...connected) => {
          this.#certificateExpiresAt = expiryOf(connected[1]) ?? this.#certificateExpiresAt;
          done(...connected);
        }),
    });
  }

  /**
   * Makes one call.
   *
   * @param toAnswer derives the outcome, whose `retryAfterMs`, if it has one, becomes the time until a call may be let
   *   through
   * @throws PlatformClientError for a call that cannot be made at all, or whose content cannot be read
   */
  async call<Answer extends { readonly kind: string; readonly cause?: string; readonly retryAfterMs?: number }>(
    call: TenantCall,
    context: CallContext,
    toAnswer: (end: Exchange, retryAfterMs: number) => Answer,
  ): Promise<Answer | Unavailable<NotSentCause>> {
    const { route, timeoutMs } = call;
    const span = this.#traced(call, context);
    const request = {
      ...platformRequest(this.#options, { ...call, traceparent: span?.traceparent ?? context.traceparent }),
      headersTimeout: timeoutMs,
      bodyTimeout: Math.min(BODY_SILENCE_MS, timeoutMs),
    };
    let startedAt = this.#now();
    const passage = await this.#passage.pass(
      route,
      async () => {
        startedAt = this.#now();
        const end = await exchange(this.#agent, request, { timeoutMs, signal: context.signal });
        return { end, answer: toAnswer(end, this.#breaker.firstOpenMs) };
      },
      ({ end, answer }) => evidenceOf(end, this.#now(), call, answer),
      context.urgent,
    );
    const ms = this.#now() - startedAt;
    const { tenant } = this.#options;
    if (passage.kind === 'blocked') {
      const answer = { ...passage, kind: 'unavailable' } as const;
      this.#observed({ tenant, route, kind: answer.kind, cause: answer.cause, status: null, ms: 0 }, span);
      return answer;
    }
    const { end } = passage.result;
    const retryAfterMs = this.#passage.waitMs(route);
    const answer =
      retryAfterMs !== null && passage.result.answer.retryAfterMs !== undefined
        ? { ...passage.result.answer, retryAfterMs }
        : passage.result.answer;
    const status = end.phase === 'answered' ? end.status : null;
    this.#observed({ tenant, route, kind: answer.kind, cause: answer.cause ?? null, status, ms }, span);
    return answer;
  }

  #traced({ route, method, template, service }: TenantCall, { traceparent, links }: CallContext): CallSpan | undefined {
    const { trace, tenant, baseUrl, coreBaseUrl } = this.#options;
    const about = { tenant, route, method, template: template.split('?')[0]! };
    const causes = { ...(traceparent !== undefined && { traceparent }), ...(links !== undefined && { links }) };
    return trace?.({ ...about, ...causes, baseUrl: service === 'core' ? coreBaseUrl : baseUrl });
  }

  /** If the observer throws, the caller must still get the answer of a call that changed something. */
  #observed(observation: CallObservation, span: CallSpan | undefined): void {
    try {
      span?.end(observation);
      this.#options.observe?.(observation);
    } catch {
      // An observer that throws must not make the call fail.
    }
  }

  openUntil(route: RouteName): number | null {
    return this.#passage.openUntil(route);
  }

  pauses(): Pause[] {
    return this.#passage.pauses();
  }

  endPause(route: string | null): void {
    this.#passage.endPause(route);
  }

  pausedForMs(route: RouteName): number {
    return Math.max(0, (this.openUntil(route) ?? 0) - this.#now());
  }

  /** End of the validity of the certificate of the last TLS connection, in milliseconds since 1970. */
  certificateExpiresAt(): number | null {
    return this.#certificateExpiresAt;
  }

  async close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    await this.#closing;
  }
}

/** Null without TLS, and without a connection. */
function expiryOf(socket: Socket | null | undefined): number | null {
  return socket instanceof TLSSocket ? Date.parse(socket.getPeerCertificate().valid_to) || null : null;
}
