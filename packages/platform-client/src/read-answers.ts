import {
  type JsonRecord,
  valueAtPath,
  isPlainRecord,
  type JsonValue,
  tryParseWithDigits,
} from '@gondola/shared/json/json-digits';
import { decimalTextOf } from '@gondola/shared/json/digits';
import { moneyText } from '@gondola/shared/units-and-money/money';
import { statusCodeOf } from '@gondola/shared/orders/read-values';
import { canonicalText } from '@gondola/shared/files/content-hash';
import type { InvoiceFile, ReadAnswer } from './answers.ts';
import { isTextual, reportsFailure } from './answer-forms.ts';
import { classifyRead } from './classify.ts';
import type { Exchange } from './exchange.ts';
import type { WireProfile } from './wire-profile.ts';

type InvoiceProfile = Pick<WireProfile, 'invoiceAbsentAnswers' | 'invoiceUrlPaths'>;

const HTTP_URL = /^https?:\/\/\S+$/i;

/**
 * Reads from the answer of `GET /v1/Storages/invoice` whether an order has its invoice file. The body is not shown
 * (docs/platform.md, "Endpoints", Files): it may be the file itself, a URL, or JSON about it. A proxy's HTML page
 * is none of these, and unreadable.
 */
export function readInvoiceAnswer(
  exchange: Exchange,
  retryAfterMs: number,
  profile: InvoiceProfile,
): ReadAnswer<InvoiceFile> {
  const read = classifyRead(exchange, retryAfterMs, (text) => text);
  const mediaType = (exchange.phase === 'answered' && exchange.contentType) || null;
  // Not text, or too long: only the file itself has this form, under a media type of its own.
  if (read.kind === 'unavailable' && read.cause === 'unreadable' && !isTextual(mediaType) && isNoText(exchange))
    return found({ mediaType, answer: null, urls: [] });
  if (read.kind !== 'found') return read;
  const text = read.value.trim();
  if (text === '') return { kind: 'not-found' };
  if (text.startsWith('%PDF-')) return found({ mediaType, answer: null, urls: [] });
  const answer = HTTP_URL.test(text) ? text : tryParseWithDigits(text);
  if (answer === undefined || reportsFailure(answer)) return { kind: 'unavailable', cause: 'unreadable', retryAfterMs };
  if (isAbsence(answer, profile)) return { kind: 'not-found' };
  return found({ mediaType, answer, urls: urlsOf(answer, profile) });
}

function isNoText(exchange: Exchange): boolean {
  return exchange.phase === 'answered' && exchange.body.kind === 'unreadable';
}

function found(value: InvoiceFile): ReadAnswer<InvoiceFile> {
  return { kind: 'found', value };
}

function isAbsence(answer: JsonValue, { invoiceAbsentAnswers }: InvoiceProfile): boolean {
  return invoiceAbsentAnswers.some((absent) => canonicalText(absent) === canonicalText(answer));
}

function urlsOf(answer: JsonValue, { invoiceUrlPaths }: InvoiceProfile): string[] {
  const candidates = isPlainRecord(answer) ? invoiceUrlPaths.map((path) => valueAtPath(answer, path)) : [answer];
  return candidates.flat().filter((candidate) => typeof candidate === 'string' && HTTP_URL.test(candidate)) as string[];
}

/**
 * Reads the answer of `GET /v1/Orders/{orderNumber}/status`, whose body the platform does not document: a bare
 * number or text, or the first of the profile's paths that contains a status. A text is a status code in digits or
 * a documented status name.
 *
 * @param bodyText the body as received; text without JSON quotes is read too
 * @param paths field names joined by dots, from the wire profile
 * @returns the status code, undefined if the body contains none or reports a failure, whose status is one of HTTP
 *   (docs/platform.md, "Orders")
 */
export function readOrderStatus(bodyText: string, paths: readonly string[]): number | undefined {
  const value = tryParseWithDigits(bodyText) ?? bodyText;
  if (!isPlainRecord(value)) return statusCodeOf(value) ?? undefined;
  if (reportsFailure(value)) return undefined;
  for (const path of paths) {
    const status = statusCodeOf(valueAtPath(value, path));
    if (status !== null) return status;
  }
  return undefined;
}

/** A registered invoice as a payload shows it; null for a part that it does not show. */
export interface ShownInvoice {
  readonly number: string | null;
  /** Text as shown. */
  readonly issuedAt: string | null;
  /** Decimal text; it may be in cents. */
  readonly value: string | null;
}

type RegistrationProfile = Pick<
  WireProfile,
  'registrationPath' | 'registrationNumberPaths' | 'registrationDatePaths' | 'registrationValuePaths'
>;

/**
 * The registered invoices that an order's payload (`webhook-payload`, or the `data` of a notification) shows; more than
 * one if it has a list. None proves nothing if the payload is older than the registration. Their form is not documented
 * ("null in the example"): what the profile's paths do not find is null.
 */
export function shownInvoices(profile: RegistrationProfile, payload: JsonRecord): readonly ShownInvoice[] {
  const shown = valueAtPath(payload, profile.registrationPath) ?? null;
  const entries = Array.isArray(shown) ? shown : [shown];
  return entries.filter(saysSomething).map((entry) => ({
    number: firstAt(entry, profile.registrationNumberPaths, numberText),
    issuedAt: firstAt(entry, profile.registrationDatePaths, dateText),
    value: firstAt(entry, profile.registrationValuePaths, amountText),
  }));
}

/** Unused blocks arrive as null or zeroed; an object without any key is none of these. */
function saysSomething(value: JsonValue | undefined): boolean {
  if (value === null || value === undefined || value === false) return false;
  if (Array.isArray(value)) return value.some(saysSomething);
  if (isPlainRecord(value)) return Object.keys(value).length === 0 || Object.values(value).some(saysSomething);
  if (typeof value === 'string') return dateText(value) !== null && /[^0\s.,:-]/.test(value);
  return value === true || isOtherThanZero(value);
}

function firstAt(
  entry: JsonValue,
  paths: readonly string[],
  read: (value: JsonValue | undefined) => string | null,
): string | null {
  if (!isPlainRecord(entry)) return null;
  return paths.map((path) => read(valueAtPath(entry, path))).find((text) => text !== null) ?? null;
}

function numberText(value: JsonValue | undefined): string | null {
  const text = typeof value === 'string' ? value.trim() : decimalTextOf(value ?? null);
  return text === '' || text === '0' ? null : text;
}

/** A date of the year 1 stands for none. */
function dateText(value: JsonValue | undefined): string | null {
  return typeof value !== 'string' || value.trim() === '' || value.startsWith('0001-') ? null : value.trim();
}

function amountText(value: JsonValue | undefined): string | null {
  const amount = moneyText(value);
  return amount !== null && /[1-9]/.test(amount) ? amount : null;
}

/** True if such a payload shows that the invoice has its PDF. False proves nothing. */
export function showsInvoiceFile(profile: Pick<WireProfile, 'invoiceFilePath'>, payload: JsonRecord): boolean {
  return (valueAtPath(payload, profile.invoiceFilePath) ?? null) !== null;
}

/**
 * Final price that the invoice must equal, as decimal text (rule 14); null if the payload has none. An amount in an
 * object whose numbers are all zero counts only if there is no other: the platform sets unused amounts to zero.
 */
export function readFinalPrice(profile: Pick<WireProfile, 'finalPricePaths'>, payload: JsonRecord): string | null {
  const found = profile.finalPricePaths.flatMap((path) => {
    const amount = moneyText(valueAtPath(payload, path));
    const block = path.includes('.') ? valueAtPath(payload, path.slice(0, path.lastIndexOf('.'))) : payload;
    return amount === null ? [] : [{ amount, isUsed: Object.values(block as JsonRecord).some(isOtherThanZero) }];
  });
  return (found.find(({ isUsed }) => isUsed) ?? found[0])?.amount ?? null;
}

function isOtherThanZero(value: JsonValue): boolean {
  return /[1-9]/.test(moneyText(value) ?? '');
}
