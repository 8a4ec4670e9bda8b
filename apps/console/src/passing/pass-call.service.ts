import type { Readable } from 'node:stream';
import { errorBody } from '@gondola/service-kit/http/error-body';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { MEDIA_TYPES } from '@gondola/shared/files/media-types';
import { Inject, Injectable } from '@nestjs/common';
import { ActionsRepository } from '../actions/actions.repository.ts';
import type { AppName } from '../operations-apis/app-name.ts';
import {
  type ApiAnswer,
  type ApiCall,
  AppAwayError,
  OperationsApis,
} from '../operations-apis/operations-apis.adapter.ts';
import { may, mayEverywhere, type Operator, type Role } from '../operators/operator.ts';
import { Operators } from '../operators/operators.service.ts';
import { type AnswerHold, NoRoomError } from '../operations-apis/answer-room.ts';
import { ANSWER_SHAPES } from './answer-shapes.ts';
import { maskAnswer } from './mask-answer.ts';
import { filledPath, matchRoute, type MatchedRoute } from './match-route.ts';
import type { PassedRoute } from './passed-route.ts';
import { PASSED_ROUTES } from './passed-routes.ts';
import { PassingMetrics } from './passing.metrics.ts';
import { type NamedTenant, tenantInBody, tenantInQuery, tenantScope } from './tenant-scope.ts';

export interface PassedCall {
  readonly operator: Operator;
  readonly app: AppName;
  readonly method: string;
  /** Path at the app, percent-encoded, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly contentType: string | null;
  readonly contentLength: string | null;
  /** JSON as it came, or a file while it comes; undefined without a body. */
  readonly body: Buffer | Readable | undefined;
  /** `Sec-Fetch-Site`; null from a caller that is no browser. */
  readonly fetchSite: string | null;
  readonly traceparent: string;
  /** Counts the answers that are read for the call. */
  readonly hold: AnswerHold;
}

/** Time in which a file has to arrive. */
export const FILE_MS = 300_000;

/** An answer to the browser. */
export type PassedAnswer = Omit<ApiAnswer, 'contentType'> & { readonly contentType: string };

/** Content types that no browser runs, whatever they contain. */
const SHOWN_TYPES = /^(?:application\/json|text\/csv)\b/;
const WRONG_TYPE = 'The content type is application/json, also without a body, and for files that of an image or a PDF';
const BUSY =
  'Há respostas demais que ninguém leu ainda; tente de novo. / There are too many answers that nobody has read yet; try again.';
const JSON_TYPE = 'application/json; charset=utf-8';

/** Parameter of the query that is the console's own, and that no app gets. */
const OWN_PARAMETER = 'unmasked';

/**
 * Passes a call of an operator on to an app: the route by the table, the rights by the tenant, then the call. Personal
 * fields of the answer are masked unless the call reveals them.
 */
@Injectable()
export class PassCall {
  constructor(
    private readonly apis: OperationsApis,
    private readonly actions: ActionsRepository,
    private readonly operators: Operators,
    private readonly metrics: PassingMetrics,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async pass(call: PassedCall): Promise<PassedAnswer> {
    const matched = matchRoute(PASSED_ROUTES, call);
    if (matched === null) return refusal(404);
    const isRevealing = reveals(matched.route, call.query);
    const answer = await this.#pass(call, matched, isRevealing);
    const isShown = answer.status < 400;
    if (isRevealing && isShown) {
      this.metrics.countRevealed(call.app);
      return answer;
    }
    const shape = ANSWER_SHAPES[`${call.app} ${isShown ? `${call.method} ${matched.route.path}` : 'errors'}`] ?? false;
    return { ...answer, body: maskAnswer(answer.body, shape) };
  }

  async #pass(call: PassedCall, matched: MatchedRoute, isRevealing: boolean): Promise<PassedAnswer> {
    const { route } = matched;
    const role: Role = isRevealing ? 'act' : route.role;
    if (route.method !== 'GET' && !isTaken(route, call.contentType)) return refusal(415, WRONG_TYPE);
    const body = bodyOf(call.body);
    if (body === NO_JSON) return refusal(400, 'The body is no JSON');
    try {
      const isRecorded = route.action !== undefined && (isRevealing || route.reveals === undefined);
      // A GET that is recorded has an effect, and another page of the same site could have it sent.
      if (isRecorded && call.fetchSite !== null && call.fetchSite !== 'same-origin') return refusal(403);
      const tenant = await this.#tenantOf(call, matched, { role, isRevealing, body });
      if (typeof tenant === 'object' && tenant !== null) return tenant;
      if (!isRecorded) return await this.#answer(call, matched);
      const { name, subject } = route.action;
      const subjectText = subject === undefined ? null : textOf(matched.parameters[subject] ?? fieldOf(body, subject));
      const id = await this.actions.begin({
        operator: call.operator,
        tenant,
        action: name,
        subject: subjectText,
      });
      return await this.#answerOfAction(id, call, matched);
    } catch (error) {
      if (error instanceof NoRoomError) return { ...refusal(503, BUSY), retryAfter: '5' };
      if (!(error instanceof AppAwayError)) throw error;
      this.logger.warn({ err: error, app: call.app }, 'An app gave no usable answer to a passed call');
      return appAway(call.app);
    }
  }

  /** The tenant of a call, null for all, or the answer that refuses it. */
  async #tenantOf(
    call: PassedCall,
    { route, parameters }: MatchedRoute,
    { role, isRevealing, body }: { readonly role: Role; readonly isRevealing: boolean; readonly body: unknown },
  ): Promise<string | null | PassedAnswer> {
    const { operator } = call;
    const place = route.tenant;
    const isItem = typeof place === 'object' || place === 'answer';
    if (!isItem) {
      const named: NamedTenant = place === 'query' ? tenantInQuery(call.query) : tenantInBody(body);
      if (named === undefined) return refusal(400, 'tenant is one text');
      const scope = tenantScope(named, { operator, role, tenants: this.operators.tenants });
      return scope.kind === 'allowed' ? scope.tenant : refusal(403);
    }
    // Its answer is checked when it comes: nothing is revealed or changed before.
    if (place === 'answer' && !isRevealing) return null;
    const path = filledPath(place === 'answer' ? route.path : place.at, parameters);
    const answer = shownAnswer(call.app, await this.#call(call, { method: 'GET', path }));
    if (answer.status >= 400) return answer;
    const tenant = tenantOfItem(answer.body);
    return this.#mayItem(operator, role, tenant) ? tenant : refusal(this.#mayItem(operator, 'see', tenant) ? 403 : 404);
  }

  async #answer(call: PassedCall, { route, parameters }: MatchedRoute): Promise<PassedAnswer> {
    const asked = new URLSearchParams(call.query);
    asked.delete(OWN_PARAMETER);
    const query = asked.toString();
    const path = `${filledPath(route.path, parameters)}${query === '' ? '' : `?${query}`}`;
    const answer = shownAnswer(
      call.app,
      await this.#call(call, { method: route.method, path, ...sentBody(route, call) }),
    );
    const isSeen =
      route.tenant !== 'answer' ||
      answer.status >= 400 ||
      this.#mayItem(call.operator, route.role, tenantOfItem(answer.body));
    return isSeen ? answer : refusal(404);
  }

  async #answerOfAction(id: string, call: PassedCall, matched: MatchedRoute): Promise<PassedAnswer> {
    let status: number | null = null;
    try {
      const answer = await this.#answer(call, matched);
      ({ status } = answer);
      return answer;
    } finally {
      await this.actions.complete(id, status).catch((err: unknown) => {
        this.logger.error({ err, actionId: id }, 'The outcome of an action could not be stored');
      });
    }
  }

  #call(
    { app, operator, traceparent, hold }: PassedCall,
    call: Pick<ApiCall, 'method' | 'path' | 'body' | 'contentType' | 'contentLength' | 'limitMs'>,
  ): Promise<ApiAnswer> {
    return this.apis.call(app, { ...call, operator: operator.name, traceparent, hold });
  }

  /** An item without a tenant, such as a dead letter of an unreadable record, needs the role in every shop. */
  #mayItem(operator: Operator, role: Role, tenant: string | null): boolean {
    return tenant === null ? mayEverywhere(operator, role, this.operators.tenants) : may(operator, role, tenant);
  }
}

function reveals({ reveals: parameter }: PassedRoute, query: URLSearchParams): boolean {
  return parameter === 'always' || (parameter !== undefined && query.get(parameter) === 'true');
}

const NO_JSON = Symbol('no JSON');

/**
 * A form of another site's page can send any other type without asking first, so it must be named without a body,
 * too.
 */
function isTaken({ takes }: PassedRoute, contentType: string | null): boolean {
  const [type = ''] = (contentType ?? '').split(';', 1);
  const types: readonly string[] = takes === 'file' ? MEDIA_TYPES : ['application/json'];
  return types.includes(type.trim().toLowerCase());
}

function bodyOf(bytes: Buffer | Readable | undefined): unknown {
  if (!Buffer.isBuffer(bytes)) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    return NO_JSON;
  }
}

function sentBody(
  { takes }: PassedRoute,
  { body, contentType, contentLength }: PassedCall,
): Pick<ApiCall, 'body' | 'contentType' | 'contentLength' | 'limitMs'> {
  if (body === undefined) return {};
  return takes === 'file' ? { body, contentType, contentLength, limitMs: FILE_MS } : { body };
}

/** Null if the item is of no tenant, or says none. */
function tenantOfItem(body: Buffer): string | null {
  try {
    return tenantInBody(JSON.parse(body.toString('utf8'))) ?? null;
  } catch {
    return null;
  }
}

function fieldOf(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[name] : undefined;
}

const MAX_SUBJECT_LENGTH = 300;

function textOf(value: unknown): string | null {
  return typeof value === 'string' || typeof value === 'number'
    ? String(value).replaceAll('\0', '').slice(0, MAX_SUBJECT_LENGTH)
    : null;
}

/**
 * The app's answer, as a browser may have it. An app that refuses the console's token is no matter of the operator,
 * whose own 401 means that the session ended.
 */
function shownAnswer(app: AppName, answer: ApiAnswer): PassedAnswer {
  if (answer.status === 401 || answer.status === 403) {
    throw new AppAwayError(app, 'refuses the OPERATIONS_TOKEN of the console');
  }
  const type = answer.contentType ?? '';
  return { ...answer, contentType: SHOWN_TYPES.test(type) ? type : 'application/octet-stream' };
}

function refusal(status: number, message?: string): PassedAnswer {
  const body = Buffer.from(JSON.stringify(errorBody(status, message)));
  return { status, contentType: JSON_TYPE, retryAfter: null, body };
}

function appAway(app: AppName): PassedAnswer {
  const message = `O ${app} não responde agora; tente de novo. / ${app} does not answer at the moment; try again.`;
  const body = Buffer.from(JSON.stringify({ error: { code: 'APP_AWAY', message } }));
  return { status: 502, contentType: JSON_TYPE, retryAfter: null, body };
}
