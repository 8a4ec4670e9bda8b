/**
 * What a caller may conclude from an HTTP call. Pure and total: every exchange has exactly one meaning. Tested in
 * classify.unit.spec.ts.
 *
 * | what came                                  | something changes | only reads         | circuit breaker    |
 * |--------------------------------------------|-------------------|--------------------|--------------------|
 * | nothing was sent                           | unavailable       | unavailable        | failed             |
 * | 2xx                                        | accepted          | found / unreadable | answered           |
 * | 404                                        | refused           | not-found          | answered           |
 * | 401, 403                                   | unavailable       | unavailable        | credentials        |
 * | 429                                        | unavailable       | unavailable        | throttled          |
 * | other 4xx but 408                          | refused           | refused            | answered           |
 * | 408, 5xx, 3xx, time-out, dropped, given up | unknown           | unavailable        | failed             |
 *
 * A 3xx is not followed. It says nothing about the queue, so it is as unknown as a 5xx. A 5xx with Retry-After
 * throttles. What failed on a connection that came about is laid to the call's entity, and a 500 that the document
 * announces for a wrong entity shows nothing.
 */
import { isIdentityText } from '@gondola/shared/topics/identities';
import { isPlainRecord, tryParseWithDigits } from '@gondola/shared/json/json-digits';
import type {
  Accepted,
  LostCause,
  MutationAnswer,
  NotSentCause,
  ReadAnswer,
  Registered,
  WebhookAnswer,
  WebhookRegistered,
} from './answers.ts';
import type { Exchange, Loss, ReceivedBody } from './exchange.ts';
import { readRetryAfter } from './retry-after.ts';
import type { CallEvidence } from './circuit-breaker.ts';

const MAX_MESSAGE_LENGTH = 1_000;
const MAX_ID_LENGTH = 100;
const CONFLICT = 409;
const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

type Answered = Extract<Exchange, { phase: 'answered' }>;
type Meaning =
  | { readonly kind: 'success'; readonly body: ReceivedBody }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'not-queued'; readonly cause: NotSentCause }
  | { readonly kind: 'lost'; readonly cause: LostCause; readonly status?: number; readonly message?: string };

/**
 * Meaning of a call that changes something. `retryAfterMs` goes into an `unavailable` (docs/platform.md, "Errors";
 * rules 16, 17, 25).
 */
export function classifyMutation(exchange: Exchange, retryAfterMs: number): MutationAnswer {
  return classifyChange(exchange, retryAfterMs, (body) => ({
    kind: 'accepted',
    operationId: readGuid(body, 'operationId'),
  }));
}

/** The same for the registration of an invoice, which answers `{ transactionId }` (docs/platform.md, "Orders"). */
export function classifyRegistration(exchange: Exchange, retryAfterMs: number): MutationAnswer<Registered> {
  return classifyChange(exchange, retryAfterMs, (body) => ({
    kind: 'accepted',
    transactionId: readGuid(body, 'transactionId'),
  }));
}

/**
 * The same for the registration of the webhook, which answers `{ id, url }`; a 409 is a state of its own
 * (docs/platform.md, "Errors"; rule 37).
 */
export function classifyWebhook(exchange: Exchange, retryAfterMs: number): WebhookAnswer {
  const answer = classifyChange<WebhookRegistered>(exchange, retryAfterMs, (body) => ({
    kind: 'registered',
    id: readId(body),
  }));
  return answer.kind === 'refused' && answer.status === CONFLICT ? { kind: 'exists' } : answer;
}

function classifyChange<Success extends Accepted | Registered | WebhookRegistered>(
  exchange: Exchange,
  retryAfterMs: number,
  accepted: (body: ReceivedBody) => Success,
): MutationAnswer<Success> {
  const meaning = meaningOf(exchange);
  if (meaning.kind === 'success') return accepted(meaning.body);
  if (meaning.kind === 'refused') return meaning;
  if (meaning.kind === 'not-queued') return { kind: 'unavailable', cause: meaning.cause, retryAfterMs };
  return { ...meaning, kind: 'unknown' };
}

/**
 * Meaning of a call that only reads.
 *
 * @param readValue the value that the body of a 2xx holds, undefined when it is not what the route answers
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
  const value = body.kind === 'text' ? readValue(body.text) : undefined;
  return value === undefined ? { kind: 'unavailable', cause: 'unreadable', retryAfterMs } : { kind: 'found', value };
}

/** The facts about a call that the circuit breaker needs. */
export interface CalledEntity {
  /** The call's subject, in any form that is the same for the same entity. */
  readonly about: string;
  /**
   * The document lists 500 as an answer to a wrong entity: it is no sign of a platform in trouble (guarantee 5, rule
   * 17).
   */
  readonly answers500?: boolean | undefined;
}

/**
 * The evidence of an exchange about the platform as a whole, for the tenant's circuit breaker. `nowMs`: milliseconds
 * since 1970.
 */
export function evidenceOf(exchange: Exchange, nowMs: number, { about, answers500 }: CalledEntity): CallEvidence {
  // No connection came about: whose call it was plays no part.
  if (exchange.phase === 'not-sent') return lossEvidence(exchange.loss, null);
  if (exchange.phase === 'no-answer') return lossEvidence(exchange.loss, about);
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
  if (status >= 200 && status < 300) return { kind: 'success', body };
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

/** Fit for any text column: shortened, without NUL and without half a surrogate pair. */
function messageOf(body: ReceivedBody): string {
  if (body.kind !== 'text') return '';
  return body.text.slice(0, MAX_MESSAGE_LENGTH).replaceAll('\u0000', '').toWellFormed();
}

/** Its form is not shown: any short text or number. */
function readId(body: ReceivedBody): string | null {
  const value = body.kind === 'text' ? tryParseWithDigits(body.text) : undefined;
  const id = isPlainRecord(value) && Object.hasOwn(value, 'id') ? value['id'] : null;
  const text = typeof id === 'number' ? String(id) : id;
  return isIdentityText(text) && text.length <= MAX_ID_LENGTH ? text : null;
}

/**
 * The product route answers a bare JSON string, others `{ operationId }` (docs/platform.md, "Endpoints"); anything else
 * gives null.
 */
function readGuid(body: ReceivedBody, name: 'operationId' | 'transactionId'): string | null {
  if (body.kind !== 'text') return null;
  const value = tryParseWithDigits(body.text);
  const candidate = isPlainRecord(value) && Object.hasOwn(value, name) ? value[name] : value;
  return typeof candidate === 'string' && GUID.test(candidate) ? candidate : null;
}
