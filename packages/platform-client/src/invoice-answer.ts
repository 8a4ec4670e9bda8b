import { canonicalText } from '@gondola/shared/files/content-hash';
import { isPlainRecord, type JsonValue, tryParseWithDigits, valueAtPath } from '@gondola/shared/json/json-digits';
import type { InvoiceFile, ReadAnswer } from './answers.ts';
import { classifyRead } from './classify.ts';
import type { Exchange } from './exchange.ts';
import type { WireProfile } from './wire-profile.ts';

type InvoiceProfile = Pick<WireProfile, 'invoiceAbsentAnswers' | 'invoiceUrlPaths'>;

const HTTP_URL = /^https?:\/\/\S+$/i;

/**
 * Whether an order has its invoice file, from the answer of `GET /v1/Storages/invoice`, whose body is not shown
 * (docs/platform.md, "Endpoints", Files): the file itself, an address, or JSON about it. A page of a proxy is neither,
 * and unreadable.
 */
export function readInvoiceAnswer(
  exchange: Exchange,
  retryAfterMs: number,
  profile: InvoiceProfile,
): ReadAnswer<InvoiceFile> {
  const read = classifyRead(exchange, retryAfterMs, (text) => text);
  const mediaType = (exchange.phase === 'answered' && exchange.contentType) || null;
  // No text, or too long a one: nothing but the file itself is like that.
  if (read.kind === 'unavailable' && read.cause === 'unreadable') return found({ mediaType, answer: null, urls: [] });
  if (read.kind !== 'found') return read;
  const text = read.value.trim();
  if (text === '') return { kind: 'not-found' };
  if (text.startsWith('%PDF-')) return found({ mediaType, answer: null, urls: [] });
  const answer = HTTP_URL.test(text) ? text : tryParseWithDigits(text);
  if (answer === undefined) return { kind: 'unavailable', cause: 'unreadable', retryAfterMs };
  if (isAbsence(answer, profile)) return { kind: 'not-found' };
  return found({ mediaType, answer, urls: urlsOf(answer, profile) });
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
