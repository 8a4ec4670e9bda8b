import { referenceOf } from '../core/operation.ts';
import type { FaultBoard, PlannedCall } from '../faults/fault-board.service.ts';
import type { Aim, CallInterruption, CallPlan, LateCall, PagedCall, PayloadChange } from '../faults/fault.ts';
import { changedPayload } from '../faults/changed-payload.ts';
import { pageAnswer } from '../faults/page-answer.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import { isJsonArray, isJsonObject, parseExact, type Json } from '../values/exact-json.ts';
import { isGuid } from '../values/guid.ts';
import { anyBody } from './body.ts';
import { HttpError, badRequest } from './http-error.ts';
import type { RequestLog } from './request-log.service.ts';
import { Raw, jsonText, type AnyRoute, type Call, type Caller } from './route.ts';

export interface PlatformCallServices {
  readonly tenants: Tenants;
  readonly faults: FaultBoard;
  readonly switches: SwitchBoard;
  readonly clock: Clock;
  readonly requests: RequestLog;
  /** Waits until the outcome of an operation is delivered, but not longer. */
  readonly outcome: (timeoutMs: number, operationId: string) => Promise<unknown>;
  /** Has a late call carried out so many milliseconds from now. */
  readonly land: (operationId: string, delayMs: number) => void;
  /** Number of the order with this GUID. */
  readonly orderNumberOf: (id: string) => number | undefined;
}

/** The connection is to be closed without an answer. */
export class Dropped extends Error {}

/** Carries out calls of the integration API and of the core's own route: credentials, faults, and the log of calls. */
export class PlatformCalls {
  constructor(private readonly services: PlatformCallServices) {}

  async carryOut(route: AnyRoute, call: Call, handle: (call: Call) => unknown): Promise<unknown> {
    const { faults, switches, clock, requests } = this.services;
    route.first?.(call.request);
    const caller = route.access === 'merchant' ? this.callerOf(route, call) : undefined;
    const { method, url } = call.request;
    const isQueued = route.queues !== undefined;
    const planned = faults.planCall({ method, url, isQueued, shows: route.shows, aim: () => this.aimOf(call) });
    const plan = planned?.plan;
    const isEmpty = route.queues === 'answer not shown' && switches.behaviour.answersNotShown === 'empty';
    if (plan) requests.note(call.request, { faults: plan.kinds });
    if (plan && plan.delayMs > 0) await clock.atMost(plan.delayMs);
    const before = plan?.before;
    if (before?.kind === 'page') return paged(route, call, before);
    if (before) throw interruption(before);
    if (plan?.refuseStatus !== undefined && !isQueued) throw onDemand(plan.refuseStatus);
    const directive = plan && isQueued ? directiveOf(plan) : {};
    const reading = { lagMs: plan?.lagMs ?? 0, shows1300: plan?.shows1300 ?? false };
    const answer: unknown = await this.handled(planned, () =>
      handle({ ...call, ...(caller && { caller: { ...caller, directive, reading } }) }),
    );
    const operationId = operationIdOf(answer);
    if (operationId !== undefined) requests.note(call.request, { operationId });
    if (plan?.late) await this.leave(call, plan.late, operationId);
    if (plan?.outcomeFirstMs !== undefined && operationId !== undefined) {
      await this.services.outcome(plan.outcomeFirstMs, operationId);
    }
    if (plan?.after) throw interruption(plan.after);
    if (isEmpty) return undefined;
    return plan === undefined ? answer : changedAnswer(answer, plan.changes);
  }

  private async handled(planned: PlannedCall | undefined, handle: () => unknown): Promise<unknown> {
    try {
      return await handle();
    } catch (error) {
      planned?.takeBack();
      throw error;
    }
  }

  /** Ends a call without an answer: at once, or when its caller leaves. What it queued is taken from then on. */
  private async leave(
    { request }: Call,
    { heldMs, delayMs }: LateCall,
    operationId: string | undefined,
  ): Promise<never> {
    if (heldMs > 0) {
      const { socket } = request.raw;
      const gone = Promise.withResolvers<void>();
      socket.once('close', gone.resolve);
      if (socket.destroyed) gone.resolve();
      await this.services.clock.atMost(heldMs, gone.promise);
      if (operationId !== undefined) this.services.land(operationId, delayMs);
    }
    throw new Dropped();
  }

  /** Credentials of the integration API on every call: Basic, and the merchant's GUID in `x-contractAccountId`. */
  private callerOf(route: AnyRoute, { request }: Call): Pick<Caller, 'contractAccountId' | 'shop'> {
    const basic = basicCredentials(request.headers.authorization);
    if (basic === undefined) throw unauthorized('Authorization with scheme Basic is missing or malformed');
    const contractAccountId = request.headers['x-contractaccountid'];
    if (typeof contractAccountId !== 'string' || !isGuid(contractAccountId)) {
      const message = 'Header x-contractAccountId is missing or is no GUID';
      throw route.isTenantInput ? badRequest('TENANT_HEADER', message) : unauthorized(message);
    }
    const tenant = this.services.tenants.authenticate({ ...basic, contractAccountId });
    if (tenant === undefined) throw unauthorized('Unknown merchant, user or password');
    this.services.requests.note(request, { contractAccountId: tenant.contractAccountId });
    return { contractAccountId: tenant.contractAccountId, shop: tenant.shop };
  }

  private aimOf({ request, params }: Call): Aim {
    const { orderNumber, id, externalReference } = params;
    const query = request.query as Readonly<Record<string, string | undefined>>;
    const body = anyBody(request);
    const ofBody = isJsonObject(body) ? body['orderNumber'] : undefined;
    const number =
      orderNumber ?? id ?? query['orderId'] ?? (typeof ofBody === 'string' ? ofBody : JSON.stringify(ofBody));
    const items = isJsonArray(body) ? body : isJsonObject(body) ? [body] : [];
    const named = [externalReference, query['externalReference']].filter((one) => one !== undefined);
    return {
      orderNumber:
        number === undefined ? undefined : /^\d+$/.test(number) ? Number(number) : this.services.orderNumberOf(number),
      products: named.length > 0 ? named : items.map(referenceOf),
    };
  }
}

function directiveOf({ core, late, reopenMs }: CallPlan): Caller['directive'] {
  return {
    ...core,
    // A caller that does not leave is left: the call is then taken in the same time after that.
    ...(late && { lateMs: late.heldMs + late.delayMs }),
    ...(reopenMs !== undefined && { reopenMs }),
  };
}

/** Answers what is not the route's answer. */
function paged({ queues, isAnswerOpen, answer }: AnyRoute, { reply }: Call, { form, share }: PagedCall): unknown {
  const notShown = queues === 'answer not shown' ? 'no body' : isAnswerOpen === true ? 'any JSON' : undefined;
  const { status, type, headers, body } = pageAnswer(form, share, { isList: Array.isArray(answer), notShown });
  void reply.status(status).headers(headers ?? {});
  return type === undefined ? undefined : new Raw(body, type);
}

/** A file or plain text stays as it is. */
function changedAnswer(answer: unknown, changes: readonly PayloadChange[]): unknown {
  if (changes.length === 0) return answer;
  if (isPlainJson(answer)) return changedPayload(answer, changes);
  if (!(answer instanceof Raw) || typeof answer.content !== 'string') return answer;
  return jsonText(JSON.stringify(changedPayload(parseExact(answer.content), changes)));
}

function interruption(of: CallInterruption): Error {
  switch (of.kind) {
    case 'error':
      return onDemand(of.status);
    case 'credentials-expired':
      return new HttpError(of.status, 'CREDENTIALS_EXPIRED', 'The credentials have expired', BASIC);
    case 'too-many-requests':
      return new HttpError(429, 'TOO_MANY_REQUESTS', 'Too many requests', { 'retry-after': String(of.retryAfter) });
    default:
      return new Dropped();
  }
}

const BASIC = { 'www-authenticate': 'Basic' };

function unauthorized(message: string): HttpError {
  return new HttpError(401, 'UNAUTHORIZED', message, BASIC);
}

function onDemand(status: number): HttpError {
  return new HttpError(status, 'FAULT', `Answered ${status} on demand`);
}

function basicCredentials(header: string | undefined): { username: string; password: string } | undefined {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '')?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  return colon < 1 ? undefined : { username: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

/** True for a JSON answer that is neither a file nor text. */
function isPlainJson(answer: unknown): answer is Json {
  return typeof answer === 'object' && answer !== null && !(answer instanceof Raw);
}

/** Operation id in an answer `{ operationId }` or `{ transactionId }`, or in the product route's JSON text. */
function operationIdOf(answer: unknown): string | undefined {
  if (answer instanceof Raw) {
    const text = typeof answer.content === 'string' ? (JSON.parse(answer.content) as unknown) : undefined;
    return typeof text === 'string' && isGuid(text) ? text : undefined;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  const id: unknown = 'operationId' in answer ? answer.operationId : 'transactionId' in answer && answer.transactionId;
  return typeof id === 'string' ? id : undefined;
}
