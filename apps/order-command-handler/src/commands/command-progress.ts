import type { Attempt, AttemptProgress } from '@gondola/shared/commands/attempts';
import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import type { AttemptStep } from '../platform/order-calls.ts';

/** Facts known when an attempt was stored. */
export interface AttemptMarker {
  /** RFC 3339. */
  readonly at: string;
  /** The newest fact stored before the attempt: older facts do not answer it (rule 10). */
  readonly seenFactId: string;
  /** The status at that time, with its recency. */
  readonly before: StatusBefore;
}

/** One call that may have reached the platform's queue. */
export interface OrderAttempt extends AttemptMarker, Attempt {
  readonly step: AttemptStep;
  /** The order's final price known at that time, decimal text; null for unknown. */
  readonly priceBefore: string | null;
  /** The order's lines known at that time, for a picking (`hashOfLines`); absent in what an earlier version stored. */
  readonly linesBefore?: string;
}

export interface StatusBefore {
  readonly status: number;
  /** Count of 100 ns as decimal text; null for a fact without a date. */
  readonly ticks: string | null;
  readonly hash: string;
}

/**
 * Reason for a read of the status. `silence`: the event of an accepted call may be lost. `invoiced`: both steps of an
 * invoice are done, and 350 should follow.
 */
export type ReadPurpose = 'lost-answer' | 'silence' | 'refusal' | 'deadline' | 'invoiced' | 'refresh';

/** Reason for a read of the payload. `pdf`: the upload of the PDF stayed silent. */
export type PayloadPurpose = 'lost-answer' | 'refusal' | 'deadline' | 'registration' | 'pdf' | 'order-id' | 'refresh';

export interface StatusRead {
  readonly purpose: ReadPurpose;
  readonly at: string;
  /** Number of attempts before the read. */
  readonly attempts: number;
  /** Number of consecutive reads for this purpose since the last attempt. */
  readonly count: number;
  /** Null if the platform does not know the order or refused the read. */
  readonly status: number | null;
}

export interface PayloadRead {
  readonly purpose: PayloadPurpose;
  readonly at: string;
  readonly attempts: number;
  readonly count: number;
  /** `not-found`: the platform does not know the order, or not as paid. `refused`: the read proves nothing. */
  readonly kind: 'found' | 'not-found' | 'refused';
  /** Decimal text; null if the payload has none. */
  readonly price: string | null;
  readonly registered: boolean;
  /** The registered invoices that it shows; absent in what an earlier version stored. */
  readonly invoices?: readonly ShownInvoice[];
  /** Those of the last read before the first attempt; absent if none was made. */
  readonly before?: readonly ShownInvoice[];
  /** Those of all reads for the command. */
  readonly seen?: readonly ShownInvoice[];
  /** True if the invoice has its PDF; absent in what an earlier version stored. */
  readonly attached?: boolean;
}

/** Progress of a command, stored between two lane steps. */
export interface CommandProgress extends AttemptProgress<OrderAttempt> {
  /** The last read of the status; null before the first. */
  readonly read: StatusRead | null;
  /** Time of the last failed read, RFC 3339; null for none. */
  readonly failedAt: string | null;
  /** Time of the first read that failed for this command, RFC 3339; null for none. */
  readonly failingSince: string | null;
  /** Time of the first of the reads that told no status since the last one that did, RFC 3339; null for none. */
  readonly statuslessSince: string | null;
  /** The last read of the payload; null before the first. */
  readonly payload: PayloadRead | null;
  /**
   * Time of the request to file-gateway to check the PDF, RFC 3339; null before. It is no attempt: it sends nothing to
   * the platform.
   */
  readonly pdfCheckAsked: string | null;
  /** Set once file-gateway was requested to attach the PDF; null before. */
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
  failingSince: null,
  statuslessSince: null,
};

/** Progress from its JSON text. Only this app writes it, so any other form is a bug. */
export function progressFromText(text: string | null): CommandProgress {
  if (text === null) return NOT_STARTED;
  const value: unknown = JSON.parse(text);
  if (!isPlainRecord(value) || !Array.isArray(value['attempts']))
    throw new Error('The stored progress of a command has an unknown form');
  return { ...NOT_STARTED, ...(value as unknown as CommandProgress) };
}

export function withRead(progress: CommandProgress, read: Omit<StatusRead, 'attempts' | 'count'>): CommandProgress {
  const counted = { ...read, ...countOf(progress, progress.read, read.purpose) };
  return { ...progress, blocked: null, statuslessSince: null, read: counted };
}

export function withPayload(
  progress: CommandProgress,
  read: Omit<PayloadRead, 'attempts' | 'count' | 'before' | 'seen'>,
): CommandProgress {
  const { attempts, payload: last } = progress;
  const { invoices = [] } = read;
  const before = attempts.length === 0 ? invoices : last?.before;
  const known = last?.seen ?? [];
  const seen = [...known, ...invoices.filter((each) => !known.some((other) => isShownAlike(each, other)))];
  const payload = {
    ...read,
    ...countOf(progress, last, read.purpose),
    ...(before !== undefined && { before }),
    ...(seen.length > 0 && { seen }),
  };
  return { ...progress, blocked: null, payload };
}

function isShownAlike(one: ShownInvoice, other: ShownInvoice): boolean {
  return one.number === other.number && one.issuedAt === other.issuedAt && one.value === other.value;
}

/** Progress after a failed read of the order. */
export function withFailedRead(progress: CommandProgress, blocked: string, failedAt: string): CommandProgress {
  return { ...progress, blocked, failedAt, failingSince: progress.failingSince ?? failedAt };
}

/** Progress after a read that told no status: like one that failed. */
export function withStatuslessRead(progress: CommandProgress, at: string): CommandProgress {
  const statuslessSince = progress.statuslessSince ?? at;
  return { ...withFailedRead(progress, 'no-status', at), statuslessSince };
}

/** Progress after a call that could not be made, or failed for all orders of the tenant: no deadline runs from it. */
export function withoutCall(progress: CommandProgress, blocked: string, failedAt: string): CommandProgress {
  return { ...progress, blocked, failedAt };
}

/** Time of the command's last call, RFC 3339; empty before the first. Also true of reads that failed. */
export function lastCallAt({ attempts, read, payload, failedAt }: CommandProgress): string {
  const times = [attempts.at(-1)?.at, read?.at, payload?.at, failedAt].map((at) => at ?? '');
  return times.reduce((latest, at) => (at > latest ? at : latest));
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
