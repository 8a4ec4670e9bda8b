import type { Attempt, AttemptProgress } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import type { AttemptStep } from '../platform/order-calls.ts';

/** What was known when something was written down. */
export interface AttemptMarker {
  /** RFC 3339. */
  readonly at: string;
  /** The newest fact stored then: what was seen before is no answer (rule 10). */
  readonly seenFactId: string;
  /** The status at that time, and its recency. */
  readonly before: StatusBefore;
}

/** One call that may have reached the platform's queue. */
export interface OrderAttempt extends AttemptMarker, Attempt {
  readonly step: AttemptStep;
  /** The order's final price that was known then, decimal text; null for unknown. */
  readonly priceBefore: string | null;
}

export interface StatusBefore {
  readonly status: number;
  /** Decimal text of 100 ns; null where the fact had no date. */
  readonly ticks: string | null;
  readonly hash: string;
}

/** Why the status was read. `invoiced`: both steps of an invoice are done, and it should become 350. */
export type ReadPurpose = 'lost-answer' | 'refusal' | 'deadline' | 'invoiced' | 'refresh';

/** Why the payload was read. */
export type PayloadPurpose = 'lost-answer' | 'refusal' | 'deadline' | 'registration' | 'order-id' | 'refresh';

export interface StatusRead {
  readonly purpose: ReadPurpose;
  readonly at: string;
  /** How many attempts there were. */
  readonly attempts: number;
  /** How many readings for this purpose followed each other since the last attempt. */
  readonly count: number;
  /** Null where the platform does not know the order or says no. */
  readonly status: number | null;
}

export interface PayloadRead {
  readonly purpose: PayloadPurpose;
  readonly at: string;
  readonly attempts: number;
  readonly count: number;
  /** `not-found`: the platform does not know the order, or not as paid. `refused`: the reading says nothing. */
  readonly kind: 'found' | 'not-found' | 'refused';
  /** Decimal text; null where it shows none. */
  readonly price: string | null;
  /** An invoice is registered. */
  readonly registered: boolean;
}

/** What a command went through, as it is stored between two lane steps. */
export interface CommandProgress extends AttemptProgress<OrderAttempt> {
  /** The last reading; null before the first. */
  readonly read: StatusRead | null;
  /** When a reading last could not be made, RFC 3339; null for never. */
  readonly failedAt: string | null;
  /** The last reading of the payload; null before the first. */
  readonly payload: PayloadRead | null;
  /**
   * When the file gateway was asked whether the PDF can be attached, as RFC 3339; null before. No attempt: nothing is
   * sent by it.
   */
  readonly pdfCheckAsked: string | null;
  /** The file gateway was asked to attach the PDF; null before. */
  readonly pdfAsked: AttemptMarker | null;
}

export const NOT_STARTED: CommandProgress = {
  attempts: [],
  read: null,
  payload: null,
  pdfCheckAsked: null,
  pdfAsked: null,
  blocked: null,
  failedAt: null,
};

/** Progress from its JSON text. Only this app writes it, so another form is a bug. */
export function progressFromText(text: string | null): CommandProgress {
  if (text === null) return NOT_STARTED;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || !Array.isArray(value['attempts'])) throw new Error('Stored progress has another form');
  return { ...NOT_STARTED, ...(value as unknown as CommandProgress) };
}

export function withRead(progress: CommandProgress, read: Omit<StatusRead, 'attempts' | 'count'>): CommandProgress {
  return { ...progress, blocked: null, read: { ...read, ...countOf(progress, progress.read, read.purpose) } };
}

export function withPayload(progress: CommandProgress, read: Omit<PayloadRead, 'attempts' | 'count'>): CommandProgress {
  return { ...progress, blocked: null, payload: { ...read, ...countOf(progress, progress.payload, read.purpose) } };
}

/** A reading could not be made. */
export function withFailedRead(progress: CommandProgress, blocked: string, failedAt: string): CommandProgress {
  return { ...progress, blocked, failedAt };
}

export function withPdfCheckAsked(progress: CommandProgress, pdfCheckAsked: string): CommandProgress {
  return { ...progress, blocked: null, pdfCheckAsked };
}

export function withPdfAsked(progress: CommandProgress, pdfAsked: AttemptMarker): CommandProgress {
  return { ...progress, blocked: null, pdfAsked };
}

function countOf(
  { attempts: { length } }: CommandProgress,
  last: { readonly purpose: string; readonly attempts: number; readonly count: number } | null,
  purpose: string,
): { attempts: number; count: number } {
  const isFollowing = last?.purpose === purpose && last.attempts === length;
  return { attempts: length, count: isFollowing ? last.count + 1 : 1 };
}
