/**
 * Tells the platform's own answer from anything else that may stand behind a 2xx: a proxy's page, a maintenance
 * notice, another service's JSON. A status alone proves nothing: what a route does not answer by the document is a
 * lost answer. Pure and total; tested in answer-forms.unit.spec.ts.
 *
 * | the document gives the route                     | its answer is                                                |
 * |--------------------------------------------------|--------------------------------------------------------------|
 * | `{ operationId }`, `{ transactionId }`, a GUID   | a body that has a GUID there                                 |
 * | no body ("not shown")                            | nothing, or JSON that reports no failure                     |
 * | an object that is read (product, order)          | an object with the identity that was asked for               |
 * | a body that is read and not shown (status, file) | what its reader understands, of JSON that reports no failure |
 */
import {
  isDigits,
  isPlainRecord,
  type JsonRecord,
  type JsonValue,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import type { ReceivedBody } from './exchange.ts';

/** Field with the operation's id in the answer of a route; `not-shown`: the document shows no answer. */
export type AnswerForm = 'operationId' | 'transactionId' | 'not-shown';

const GUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * Operation of a call that was accepted (docs/platform.md, "Endpoints"; rule 25): the product route answers a bare JSON
 * string, others an object. Null for an accepted call whose route shows no id; undefined if the body is no answer of
 * the route.
 */
export function acceptedOperation(body: ReceivedBody, form: AnswerForm): string | null | undefined {
  if (body.kind !== 'text') return undefined;
  const value = tryParseWithDigits(body.text);
  const id = guidIn(value, form === 'transactionId' ? form : 'operationId');
  if (id !== null) return id;
  if (form !== 'not-shown') return undefined;
  const isAnswer = body.text.trim() === '' || (value !== undefined && !reportsFailure(value));
  return isAnswer ? null : undefined;
}

function guidIn(value: JsonValue | undefined, name: string): string | null {
  const candidate = isPlainRecord(value) ? ownValue(value, name) : value;
  return typeof candidate === 'string' && GUID.test(candidate) ? candidate : null;
}

/**
 * JSON text of one object whose field `identity` is the one that was asked for; undefined for any other body. An
 * identity may be a number or its digits as text; case and blanks around it do not count, as a store may fold them.
 */
export function objectAbout(text: string, identity: string, asked: string): string | undefined {
  const value = tryParseWithDigits(text);
  if (!isPlainRecord(value)) return undefined;
  const shown = identityText(ownValue(value, identity));
  return shown !== null && folded(shown) === folded(asked) ? text : undefined;
}

function identityText(value: JsonValue | undefined): string | null {
  if (isDigits(value)) return value.rawJSON;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : null;
}

function folded(identity: string): string {
  return identity.normalize('NFC').trim().toLowerCase();
}

/** Fields that report an error unless they are empty. */
const ERROR_FIELDS = ['error', 'errors', 'exception', 'fault', 'validationErrors'] as const;
/** Fields that report an error by being false. */
const SUCCESS_FIELDS = ['success', 'succeeded', 'isSuccess', 'ok'] as const;
/** Fields of an HTTP error in JSON (problem details, and what frameworks make of it), beside its status. */
const EXPLAINING_FIELDS = ['title', 'detail', 'message', 'traceId', 'reason', 'timestamp'] as const;
const STATUS_FIELDS = ['status', 'statusCode', 'code'] as const;
const FAILED = /^(error|fail(ed|ure)?|unavailable|maintenance|down)$/i;

/**
 * True if JSON reports a failure: an error, `success: false`, or an HTTP status from 400 on with an explanation, since
 * a bare 500 is also the code of an order's status. Of a list, any of its entries.
 */
export function reportsFailure(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some((entry) => isPlainRecord(entry) && reportsFailure(entry));
  if (!isPlainRecord(value)) return false;
  const own = (name: string) => ownValue(value, name);
  if (ERROR_FIELDS.some((name) => saysSomething(own(name)))) return true;
  if (SUCCESS_FIELDS.some((name) => own(name) === false)) return true;
  const statuses = STATUS_FIELDS.map(own);
  if (statuses.some((status) => typeof status === 'string' && FAILED.test(status.trim()))) return true;
  const isExplained = EXPLAINING_FIELDS.some((name) => saysSomething(own(name)));
  return isExplained && statuses.some(isErrorStatus);
}

function isErrorStatus(status: JsonValue | undefined): boolean {
  const code = typeof status === 'string' && /^\d{3}$/.test(status.trim()) ? Number(status) : status;
  return typeof code === 'number' && code >= 400 && code <= 599;
}

function saysSomething(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '' || value === 0) return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isPlainRecord(value) || Object.keys(value).length > 0;
}

/** True for markup: by its media type, or by its first character, with which no JSON begins. */
export function isPage(text: string, contentType: string | null | undefined): boolean {
  return isMarkup(contentType) || text.trimStart().startsWith('<');
}

/** True for a media type of markup or of JSON, in which no file is sent. */
export function isTextual(contentType: string | null | undefined): boolean {
  return isMarkup(contentType) || /^application\/([\w.+-]+\+)?json\b/i.test(contentType ?? '');
}

function isMarkup(contentType: string | null | undefined): boolean {
  return /^\s*(text\/html|application\/xhtml\+xml|text\/xml|application\/xml)\b/i.test(contentType ?? '');
}

function ownValue(record: JsonRecord, name: string): JsonValue | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
