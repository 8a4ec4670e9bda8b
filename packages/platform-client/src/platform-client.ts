import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json-digits';
import type { OrderStatusName } from '@gondola/shared/order-statuses';
import { Agent } from 'undici';
import type { CallContext, MutationAnswer, NotSentCause, ReadAnswer, Unavailable } from './answers.ts';
import { type CallObserver, observeSafely, type RouteName } from './call-observation.ts';
import { classifyMutation, classifyRead, evidenceOf } from './classify.ts';
import { type Exchange, exchange } from './exchange.ts';
import { readOrderStatus } from './order-status-answer.ts';
import { pathSegment, type PlatformAccess, type PlatformCall, platformRequest } from './platform-request.ts';
import { TenantGate } from './tenant-gate.ts';
import { DEFAULT_PAUSE_SETTINGS, type PauseSettings } from './tenant-pause.ts';
import { ORDER_NUMBER_PLACEHOLDER, patchStatusBody, type WireProfile } from './wire-profile.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Silence between two pieces of an answer. */
const BODY_SILENCE_MS = 10_000;

export interface PlatformClientOptions extends PlatformAccess {
  /** The tenant's id in the tenants file; only told to the observer. */
  readonly tenant: string;
  /** Calls under way at the same time, at most. */
  readonly concurrency: number;
  readonly profile: WireProfile;
  /** A whole call without its wait for a slot, in milliseconds; default 30,000. A lane's lease must be longer. */
  readonly timeoutMs?: number;
  readonly pause?: Partial<PauseSettings>;
  /** Hears of every call, also of those that a pause turned away. */
  readonly observe?: CallObserver;
  /** Milliseconds since 1970; default a clock that never steps back. */
  readonly now?: () => number;
  /** In [0, 1). */
  readonly random?: () => number;
}

/**
 * The platform's HTTP API for one tenant: one method per route. Bodies are JSON text and are sent as given (rule 21). Nothing is retried
 * here: retries, deadlines and read-backs are the lanes' (rules 16, 36).
 *
 * No method throws for what the network or the platform does.
 *
 * @throws PlatformClientError for a call that cannot be made at all: an empty reference, a closed client
 */
export class PlatformClient {
  readonly #options: PlatformClientOptions;
  readonly #timeoutMs: number;
  readonly #now: () => number;
  readonly #pause: PauseSettings;
  readonly #gate: TenantGate;
  readonly #agent: Agent;
  #closing: Promise<void> | null = null;

  constructor(options: PlatformClientOptions) {
    this.#options = options;
    this.#timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
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
      connect: { timeout: Math.min(CONNECT_TIMEOUT_MS, this.#timeoutMs) },
      headersTimeout: this.#timeoutMs,
      bodyTimeout: Math.min(BODY_SILENCE_MS, this.#timeoutMs),
      // HTTP/2 would send requests of a connection that goes away a second time.
      allowH2: false,
    });
  }

  /**
   * `POST /v1/batch/Products`: queues a batch of partial product updates (platform-api.md, Endpoints, Catalog; rule 25).
   *
   * @param bodyText JSON array of products
   */
  async postProducts(bodyText: string, context: CallContext = {}): Promise<MutationAnswer> {
    const call = { service: 'integration', method: 'POST', path: '/v1/batch/Products', body: bodyText } as const;
    return this.#call('postProducts', call, context, classifyMutation);
  }

  /**
   * `GET /v1/batch/Products/{externalReference}`: the product's read model as JSON text of one object (platform-api.md, Product read model).
   */
  async getProduct(externalReference: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    const path = `/v1/batch/Products/${pathSegment(externalReference)}`;
    return this.#call('getProduct', { service: 'integration', method: 'GET', path }, context, readJsonObject);
  }

  /** `PATCH /v1/Orders/{orderNumber}/status`: asks for a status by its name (platform-api.md, Endpoints, Orders). */
  async patchOrderStatus(
    orderNumber: string,
    statusName: OrderStatusName,
    context: CallContext = {},
  ): Promise<MutationAnswer> {
    const path = `/v1/Orders/${pathSegment(orderNumber)}/status`;
    const body = patchStatusBody(this.#options.profile, statusName);
    return this.#call(
      'patchOrderStatus',
      { service: 'integration', method: 'PATCH', path, body },
      context,
      classifyMutation,
    );
  }

  /** `GET /v1/Orders/{orderNumber}/status`: the order's status code, read as the wire profile says. */
  async getOrderStatus(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<number>> {
    const path = `/v1/Orders/${pathSegment(orderNumber)}/status`;
    return this.#call('getOrderStatus', { service: 'integration', method: 'GET', path }, context, (end, retryAfterMs) =>
      classifyRead(end, retryAfterMs, (text) => readOrderStatus(text, this.#options.profile.orderStatusPaths)),
    );
  }

  /**
   * `GET /v1/Orders/{orderNumber}/webhook-payload`, v2: the order's present state as JSON text of one object. `not-found` also means: not
   * paid yet (platform-api.md, Reading an order payload on demand; rules 17, 18).
   */
  async getWebhookPayload(orderNumber: string, context: CallContext = {}): Promise<ReadAnswer<string>> {
    const path = this.#options.profile.webhookPayloadPath.replaceAll(
      ORDER_NUMBER_PLACEHOLDER,
      pathSegment(orderNumber),
    );
    return this.#call('getWebhookPayload', { service: 'integration', method: 'GET', path }, context, readJsonObject);
  }

  /** Milliseconds since 1970 until which the tenant is paused; in the past while its probe is awaited; null when it is not paused. */
  pausedUntil(): number | null {
    return this.#gate.pausedUntil();
  }

  /** Waits for the calls under way (give them up by their signals first) and closes the connections; safe to call again. */
  async close(): Promise<void> {
    this.#closing ??= this.#agent.close();
    await this.#closing;
  }

  async #call<Answer extends { readonly kind: string; readonly cause?: string }>(
    route: RouteName,
    call: PlatformCall,
    context: CallContext,
    toAnswer: (end: Exchange, retryAfterMs: number) => Answer,
  ): Promise<Answer | Unavailable<NotSentCause>> {
    const request = platformRequest(this.#options, { ...call, traceparent: context.traceparent });
    const limits = { timeoutMs: this.#timeoutMs, signal: context.signal };
    let startedAt = this.#now();
    const passage = await this.#gate.pass(
      () => {
        startedAt = this.#now();
        return exchange(this.#agent, request, limits);
      },
      (end) => evidenceOf(end, this.#now()),
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
    const cause = answer.cause ?? null;
    const status = end.phase === 'answered' ? end.status : null;
    observeSafely(observe, { tenant, route, kind: answer.kind, cause, status, ms });
    return answer;
  }
}

function readJsonObject(end: Exchange, retryAfterMs: number): ReadAnswer<string> {
  return classifyRead(end, retryAfterMs, (text) => (isPlainRecord(tryParseWithDigits(text)) ? text : undefined));
}
