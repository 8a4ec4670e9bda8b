import { isPlainRecord, type JsonRecord, parseWithDigits, stringifyWithDigits } from '@gondola/shared/json-digits';
import type { FieldReason } from '@gondola/shared/reason-codes';

/** What became of one sending. `pending`: written down before the call; found again, it says that the process ended in between. */
export type SendingAnswer =
  | { readonly kind: 'pending' }
  | { readonly kind: 'accepted'; readonly operationId: string | null }
  | { readonly kind: 'refused'; readonly status: number; readonly message: string }
  | { readonly kind: 'unknown'; readonly cause: string };

/** One call that may have reached the platform's queue. */
export interface Sending {
  /** RFC 3339. */
  readonly at: string;
  /** The newest report stored when it was written down: what was there before is no answer to it. */
  readonly seenReportId: string;
  readonly answer: SendingAnswer;
}

/** What the product was seen to be after so many sendings. */
export interface ProductRead {
  readonly sendings: number;
  readonly asAsked: boolean;
}

/** What a record went through, as it is kept between two lane steps. */
export interface ProductProgress {
  /** What is posted: the translated record with the ERP's own digits (rule 21). */
  readonly body: JsonRecord;
  readonly warnings: readonly FieldReason[];
  /** Decimal text; null where the ERP gave none. */
  readonly sourceVersion: string | null;
  readonly sendings: readonly Sending[];
  /** The last reading; null before the first. */
  readonly read: ProductRead | null;
  /** Why the next call could not be made yet; null when nothing is in its way. Shown to operators, decides nothing. */
  readonly blocked: string | null;
}

/** Progress from its JSON text. Only this app writes it, so another form is a bug. */
export function progressFromText(text: string | null): ProductProgress | null {
  if (text === null) return null;
  const value = parseWithDigits(text);
  if (!isPlainRecord(value) || !isPlainRecord(value['body'])) throw new Error('Stored progress has another form');
  return value as unknown as ProductProgress;
}

export function progressToText(progress: ProductProgress): string {
  return stringifyWithDigits(progress as unknown as JsonRecord);
}

export function withSending(progress: ProductProgress, sending: Omit<Sending, 'answer'>): ProductProgress {
  return { ...progress, blocked: null, sendings: [...progress.sendings, { ...sending, answer: { kind: 'pending' } }] };
}

/** The answer of the last sending. */
export function withAnswer(progress: ProductProgress, answer: SendingAnswer): ProductProgress {
  const last = progress.sendings.at(-1);
  if (last === undefined) return progress;
  return { ...progress, sendings: [...progress.sendings.slice(0, -1), { ...last, answer }] };
}

/** The last call cannot have reached the platform's queue, so it was no sending. */
export function withoutLastSending(progress: ProductProgress, cause: string): ProductProgress {
  return { ...progress, blocked: cause, sendings: progress.sendings.slice(0, -1) };
}

export function withRead(progress: ProductProgress, asAsked: boolean): ProductProgress {
  return { ...progress, blocked: null, read: { sendings: progress.sendings.length, asAsked } };
}

/** The operations that the platform gave us for this record, first ones first. */
export function operationIdsOf(progress: ProductProgress): string[] {
  return progress.sendings.flatMap(({ answer }) =>
    answer.kind === 'accepted' && answer.operationId !== null ? [answer.operationId] : [],
  );
}
