import { isLost } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import { isFetchProgress } from '../fetching/fetch-progress.ts';
import {
  type FileAttempt,
  type FileProgress,
  nextReading,
  type Reading,
  type ReadingContext,
  type Sighting,
} from '../platform/file-attempt.ts';
import type { HeldUpload } from '../uploads/held-content.ts';

/** Addresses of the file attached to an order. */
export interface ShownInvoice {
  readonly urls: readonly string[];
}

/** File attached to an order before anything was sent: null for none, else its addresses. */
export type InvoiceBefore = readonly string[] | null;

/** Progress of an `UploadInvoicePdf`, as stored between two lane steps. */
export interface PdfProgress extends FileProgress {
  /** The command holds its upload. */
  readonly pdf: HeldUpload;
  /** GUID of its order; absent in progress of an older version. */
  readonly orderId?: string;
  /** The last reading of the order's invoice file. */
  readonly reading: Reading | null;
  /**
   * File before the first attempt. Absent before the first reading, and in progress of an older version, which
   * never replaced a file.
   */
  readonly before?: InvoiceBefore;
}

export function startPdf(pdf: HeldUpload, orderId: string): PdfProgress {
  return { pdf, orderId, attempts: [], reading: null, blocked: null };
}

/** Progress from its JSON text; null before its content is held. Only this app writes it: another form is a bug. */
export function pdfProgressFromText(text: string | null): PdfProgress | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  if (isFetchProgress(value)) return null;
  if (!isPlainRecord(value) || !isPlainRecord(value['pdf']))
    throw new Error('The stored progress of a command has an unknown form');
  return value as unknown as PdfProgress;
}

/** Progress after a reading of the order's file. `knownSha256`: hash of the content that Gondola attached last. */
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
 * Addresses that distinguish one file from another, without the text after `?` or `#`: a signature that changes
 * with each reading says nothing about the file.
 */
export function addressesOf({ urls }: ShownInvoice): readonly string[] {
  return [...new Set(urls.map((url) => url.split(/[?#]/, 1)[0] ?? ''))].toSorted();
}

/**
 * Part of the PDF's upload that a reading shows. Before an attempt, an existing file is the same one only if
 * Gondola attached exactly this content; a file of somebody else, or with unknown content, is replaced. After an
 * attempt, an existing file is the new one if there was none before, or if its address is different.
 *
 * @param knownSha256 hash of the content that Gondola attached last; null if it is not known
 */
export function seenOf(
  {
    pdf,
    attempts,
    before = null,
  }: { readonly pdf: HeldUpload; readonly attempts: readonly FileAttempt[]; readonly before?: InvoiceBefore },
  shown: ShownInvoice | null,
  knownSha256: string | null,
): Sighting {
  if (shown === null) return 'none';
  if (attempts.length === 0) return knownSha256 === pdf.sha256 ? 'all' : 'none';
  if (before === null) return 'all';
  const addresses = addressesOf(shown);
  const isSame = addresses.length === before.length && addresses.every((address, index) => address === before[index]);
  return isSame ? 'unclear' : 'all';
}

/**
 * Hash of the attached content after an upload is concluded; null if it is no longer known, undefined if it is
 * unchanged. A refusal leaves the previous file, unless another attempt of the same upload may still be accepted.
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
