import type { AttemptProgress } from '@gondola/shared/commands/attempts';
import { isPlainRecord } from '@gondola/shared/json/json-digits';
import type { HeldUpload } from '../uploads/held-content.ts';
import { addressesOf, type InvoiceBefore, seenOf, type ShownInvoice } from './invoice-file.ts';
import { type FileAttempt, nextReading, type Reading, type ReadingContext } from '../lanes/file-attempt.ts';

/** How far an `UploadInvoicePdf` is, as it is kept between two lane steps. */
export interface PdfProgress extends AttemptProgress<FileAttempt> {
  /** Its upload is held. */
  readonly pdf: HeldUpload;
  /** Of the order's invoice file. */
  readonly reading: Reading | null;
  /**
   * By the last reading before the first attempt; absent where none was made yet, and in what an older version wrote,
   * which never replaced a file.
   */
  readonly before?: InvoiceBefore;
}

export function startPdf(pdf: HeldUpload): PdfProgress {
  return { pdf, sendings: [], reading: null, blocked: null };
}

/** Progress from its JSON text. Only this app writes it, so another form is a bug. */
export function pdfProgressFromText(text: string | null): PdfProgress | null {
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
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
  const { sendings, reading } = progress;
  const before = shown === null ? null : addressesOf(shown);
  return {
    ...progress,
    blocked: null,
    reading: nextReading(sendings, reading, seenOf(progress, shown, knownSha256), context),
    ...(sendings.length === 0 && { before }),
  };
}
