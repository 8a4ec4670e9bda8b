import { isLost } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import {
  type FileAttempt,
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type Seen,
} from '../platform/file-attempt.ts';
import type { HeldUpload } from '../uploads/held-content.ts';

/** The file attached to an order, as far as the platform shows it. */
export interface ShownInvoice {
  readonly urls: readonly string[];
}

/**
 * The file attached to an order before anything was sent: null for none, else the addresses under which it was shown.
 */
export type InvoiceBefore = readonly string[] | null;

/** Progress of an `UploadInvoicePdf`, as stored between two lane steps. */
export interface PdfProgress extends FileProgress {
  /** Its upload is held. */
  readonly pdf: HeldUpload;
  /** The last reading of the order's invoice file. */
  readonly reading: Reading | null;
  /**
   * By the last reading before the first attempt; absent where none was made yet, and in what an older version wrote,
   * which never replaced a file.
   */
  readonly before?: InvoiceBefore;
}

export function startPdf(pdf: HeldUpload): PdfProgress {
  return { pdf, attempts: [], reading: null, blocked: null };
}

/** Progress from its JSON text; null before its content is held. Only this app writes it: another form is a bug. */
export function pdfProgressFromText(text: string | null): PdfProgress | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (isFetchProgress(value)) return null;
  if (!isPlainRecord(value) || !isPlainRecord(value['pdf'])) throw new Error('Stored progress has another form');
  return value as unknown as PdfProgress;
}

/** After it was read which file the order has. `knownSha256`: of the content that Gondola attached last. */
export function withInvoice(
  progress: PdfProgress,
  shown: ShownInvoice | null,
  knownSha256: string | null,
  context: ReadingContext,
): PdfProgress {
  const { attempts, reading } = progress;
  const before = shown === null ? null : addressesOf(shown);
  return {
    ...progress,
    blocked: null,
    reading: nextReading(attempts, reading, seenOf({ ...progress, attempts }, shown, knownSha256), context),
    ...(attempts.length === 0 && { before }),
  };
}

/**
 * Addresses that distinguish one file from another, without what follows `?` or `#`: a signature that differs with each
 * reading says nothing about the file.
 */
export function addressesOf({ urls }: ShownInvoice): readonly string[] {
  return [...new Set(urls.map((url) => url.split(/[?#]/, 1)[0] ?? ''))].toSorted();
}

/**
 * How much a reading shows of the PDF that is to be attached. Before it is sent, a file there is the same one only if
 * Gondola attached that very content; one that somebody else attached, or whose content is not known, is to be
 * replaced. After it was sent, a file there is the new one if none was there before, or another address shows it.
 *
 * @param knownSha256 of the content that Gondola attached last; null where that is not known
 */
export function seenOf(
  {
    pdf,
    attempts,
    before = null,
  }: { readonly pdf: HeldUpload; readonly attempts: readonly FileAttempt[]; readonly before?: InvoiceBefore },
  shown: ShownInvoice | null,
  knownSha256: string | null,
): Seen {
  if (shown === null) return 'none';
  if (attempts.length === 0) return knownSha256 === pdf.sha256 ? 'all' : 'none';
  if (before === null) return 'all';
  const addresses = addressesOf(shown);
  const isSame = addresses.length === before.length && addresses.every((address, index) => address === before[index]);
  return isSame ? 'unclear' : 'all';
}

/**
 * The attached content, once an upload is concluded: its hash, null where it is not known any more, undefined where it
 * is as before. A refusal leaves the file that was there, unless another attempt of the same upload may still be taken.
 */
export function knownAfter(
  outcome: string,
  pdf: HeldUpload,
  attempts: readonly FileAttempt[],
): string | null | undefined {
  if (outcome === 'applied') return pdf.sha256;
  if (attempts.length === 0) return undefined;
  const isOnlyRefused = outcome === 'refused' && attempts.length === 1 && !attempts.some(isLost);
  return isOnlyRefused ? undefined : null;
}
