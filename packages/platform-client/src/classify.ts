/**
 * Meaning of an HTTP call for its caller. Pure and total: every exchange has exactly one meaning. Tested in
 * classify.unit.spec.ts.
 *
 * | what came                                  | something changes | only reads         | circuit breaker    |
 * |--------------------------------------------|-------------------|--------------------|--------------------|
 * | nothing was sent                           | unavailable       | unavailable        | failed             |
 * | 2xx with the route's answer                | accepted          | found              | answered           |
 * | 2xx with anything else                     | unknown           | unavailable        | failed             |
 * | 404                                        | refused           | not-found          | answered           |
 * | 401, 403                                   | unavailable       | unavailable        | credentials        |
 * | 429                                        | unavailable       | unavailable        | throttled          |
 * | other 4xx but 408                          | refused           | refused            | answered           |
 * | 408, 5xx, 3xx, time-out, dropped, given up | unknown           | unavailable        | failed             |
 *
 * A 3xx is not followed. It does not show whether the call was queued, so it is as unknown as a 5xx. A 5xx with
 * Retry-After throttles its route. A failure on an established connection is attributed to the call's route and
 * entity, and a 500 that the document lists for a wrong entity is no evidence. `answer-forms.ts` tells the route's
 * answer from a page behind a 2xx.
 */
import type { NotSentCause } from '@gondola/shared/commands/attempts';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { storable } from '@gondola/shared/json/storable-text';
import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import { acceptedOperation, type AnswerForm, isPage } from './answer-forms.ts';
import type {
  Accepted,
  LostCause,
  MutationAnswer,
  ReadAnswer,
  Unknown,
  WebhookAnswer,
  WebhookRegistered,
} from './answers.ts';
import type { Exchange, Loss, ReceivedBody } from './exchange.ts';
import { readRetryAfter } from './retry-after.ts';
import type { CallEvidence, ScopedEvidence } from './circuit-breaker.ts';

const MAX_MESSAGE_LENGTH = 1_000;
const MAX_ID_LENGTH = 100;
const CONFLICT = 409;

type Answered = Extract<Exchange, { phase: 'answered' }>;
type Meaning =
  | { readonly kind: 'success'; readonly status: number; readonly body: ReceivedBody }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'not-queued'; readonly cause: NotSentCause }
  | { readonly kind: 'lost'; readonly cause: LostCause; readonly status?: number; readonly message?: string };

/**
 * Outcome of a call that changes something. `retryAfterMs` is passed on in an `unavailable` (docs/platform.md,
 * "Errors"; rules 16, 17, 25).
 *
 * @param form what the document shows of the route's answer; without that, the answer is lost
 */
export function classifyMutation(
  exchange: Exchange,
  retryAfterMs: number,
  form: AnswerForm = 'operationId',
): MutationAnswer {
  return classifyChange(exchange, retryAfterMs, (body) => {
    const operationId = acceptedOperation(body, form);
    return operationId === undefined ? undefined : { kind: 'accepted', operationId };
  });
}

/**
 * Outcome of registering the webhook, which answers `{ id, url }`; a 409 has its own outcome (docs/platform.md,
 * "Errors"; rule 37).
 */
export function classifyWebhook(exchange: Exchange, retryAfterMs: number): WebhookAnswer {
  const answer = classifyChange<WebhookRegistered>(exchange, retryAfterMs, (body) => {
    const id = readId(body);
    return id === null ? undefined : { kind: 'registered', id };
  });
  return answer.kind === 'refused' && answer.status === CONFLICT ? { kind: 'exists' } : answer;
}

function classifyChange<Success extends Accepted | WebhookRegistered>(
  exchange: Exchange,
  retryAfterMs: number,
  accepted: (body: ReceivedBody) => Success | undefined,
): MutationAnswer<Success> {
  const meaning = meaningOf(exchange);
  if (meaning.kind === 'success') return accepted(meaning.body) ?? lostSuccess(meaning);
  if (meaning.kind === 'refused') return meaning;
  if (meaning.kind === 'not-queued') return { kind: 'unavailable', cause: meaning.cause, retryAfterMs };
  return { ...meaning, kind: 'unknown' };
}

/** A success whose body is missing or is not the route's answer: somebody else may have answered. */
function lostSuccess({ status, body }: Extract<Meaning, { kind: 'success' }>): Unknown {
  if (body.kind === 'lost') return { kind: 'unknown', cause: lostCause(body.loss), status };
  return { kind: 'unknown', cause: 'unreadable', status, message: messageOf(body) };
}

/**
 * Outcome of a call that only reads.
 *
 * @param readValue returns the value in the body of a 2xx; undefined if the body has another form
 */
export function classifyRead<T>(
  exchange: Exchange,
  retryAfterMs: number,
  readValue: (bodyText: string) => T | undefined,
): ReadAnswer<T> {
  const meaning = meaningOf(exchange);
  if (meaning.kind === 'refused') return meaning.status === 404 ? { kind: 'not-found' } : meaning;
  if (meaning.kind !== 'success') return { kind: 'unavailable', cause: meaning.cause, retryAfterMs };
  const { body } = meaning;
  if (body.kind === 'lost') return { kind: 'unavailable', cause: lostCause(body.loss), retryAfterMs };
  const contentType = exchange.phase === 'answered' ? exchange.contentType : undefined;
  const isText = body.kind === 'text' && !isPage(body.text, contentType);
  const value = isText ? readValue(body.text) : undefined;
  if (value === undefined) return { kind: 'unavailable', cause: 'unreadable', retryAfterMs };
  const platformMs = exchange.phase === 'answered' ? platformClock(exchange.date) : null;
  return { kind: 'found', value, ...(platformMs !== null && { platformMs }) };
}

/** Form of RFC 9110: `Sun, 06 Nov 1994 08:49:37 GMT`, always in UTC. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Milliseconds since 1970 of a `Date` header; null for none, or one of another form. */
function platformClock(date: string | undefined): number | null {
  const ms = date !== undefined && HTTP_DATE.test(date) ? Date.parse(date) : Number.NaN;
  return Number.isNaN(ms) ? null : ms;
}

/** Facts about a call that the circuit breaker takes into account. */
export interface CalledEntity {
  /** Entity of the call, in any form that is the same for the same entity; null if it has several or none. */
  readonly about: string | null;
  /**
   * The document lists 500 as the route's answer to a wrong entity, so a 500 is no sign of a failing platform
   * (guarantee 5, rule 17).
   */
  readonly answers500?: boolean | undefined;
}

/**
 * Evidence of an exchange for the circuit breakers of tenant and route. Credentials, throttling and a platform
 * without a connection concern the tenant; what fails on an established connection concerns the route. `nowMs`:
 * milliseconds since 1970. `answer`: the outcome of the exchange; one that is not the route's own is a failure.
 */
export function evidenceOf(
  exchange: Exchange,
  nowMs: number,
  call: CalledEntity,
  answer?: { readonly kind: string; readonly cause?: string },
): ScopedEvidence {
  if (answer?.cause === 'unreadable') return { scope: 'route', evidence: { kind: 'failed', about: call.about } };
  // Without a connection, neither the call's entity nor its route can be the cause.
  if (exchange.phase === 'not-sent') return { scope: 'tenant', evidence: lossEvidence(exchange.loss, null) };
  if (exchange.phase === 'no-answer') return { scope: 'route', evidence: lossEvidence(exchange.loss, call.about) };
  const scope = TENANT_WIDE.has(exchange.status) ? 'tenant' : 'route';
  return { scope, evidence: evidenceOfAnswer(exchange, nowMs, call) };
}

/** Statuses that say something about the tenant, whatever the route. */
const TENANT_WIDE = new Set([401, 403, 429]);

function evidenceOfAnswer(exchange: Answered, nowMs: number, { about, answers500 }: CalledEntity): CallEvidence {
  const { status, body } = exchange;
  const retryAfterMs = readRetryAfter(exchange.retryAfter, nowMs);
  if (status === 401 || status === 403) return { kind: 'credentials' };
  if (status === 429 || (status >= 500 && retryAfterMs !== null)) return { kind: 'throttled', retryAfterMs };
  if (status === 500 && answers500 === true) return { kind: 'nothing' };
  if (isFailing(status)) return { kind: 'failed', about };
  return body.kind === 'lost' ? lossEvidence(body.loss, about) : { kind: 'answered' };
}

function lossEvidence(loss: Loss, about: string | null): CallEvidence {
  return loss === 'given-up' ? { kind: 'nothing' } : { kind: 'failed', about };
}

function meaningOf(exchange: Exchange): Meaning {
  if (exchange.phase === 'answered') return meaningOfStatus(exchange);
  if (exchange.phase === 'no-answer') return { kind: 'lost', cause: lostCause(exchange.loss) };
  return { kind: 'not-queued', cause: exchange.loss === 'given-up' ? 'paused' : 'connection-refused' };
}

function meaningOfStatus({ status, body }: Answered): Meaning {
  if (status >= 200 && status < 300) return { kind: 'success', status, body };
  if (status === 401 || status === 403) return { kind: 'not-queued', cause: 'credentials' };
  if (status === 429) return { kind: 'not-queued', cause: 'throttled' };
  const message = messageOf(body);
  if (isFailing(status)) return { kind: 'lost', cause: status === 408 ? 'timeout' : 'server-error', status, message };
  return { kind: 'refused', status, message };
}

function isFailing(status: number): boolean {
  return status === 408 || status >= 500 || (status >= 300 && status < 400);
}

function lostCause(loss: Loss): LostCause {
  return loss === 'timeout' ? 'timeout' : 'dropped';
}

/** Text for any text column: shortened, without NUL and without half a surrogate pair. */
function messageOf(body: ReceivedBody): string {
  if (body.kind !== 'text') return '';
  return storable(body.text.slice(0, MAX_MESSAGE_LENGTH));
}

/** The form of the id is not shown, so any short text or number is accepted. */
function readId(body: ReceivedBody): string | null {
  const value = body.kind === 'text' ? tryParseWithDigits(body.text) : undefined;
  const id = isPlainRecord(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  const text = typeof id === 'number' ? String(id) : id;
  return isIdentityText(text) && text.length <= MAX_ID_LENGTH ? text : null;
}
