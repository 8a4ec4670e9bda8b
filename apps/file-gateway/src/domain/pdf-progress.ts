import { isPlainRecord } from '@gondola/shared/json/json-digits';
import type { HeldUpload } from './held-content.ts';
import { addressesOf, type InvoiceBefore, seenOf, type ShownInvoice } from './invoice-file.ts';
import {
  answered,
  nextReading,
  pendingSending,
  type Reading,
  type ReadingContext,
  type Sending,
  type SendingAnswer,
} from './sendings.ts';

/** How far an `UploadInvoicePdf` is, as it is kept between two lane steps. */
export interface PdfProgress {
  /** Its upload is held. */
  readonly pdf: HeldUpload;
  readonly sendings: readonly Sending[];
  /** Of the order's invoice file. */
  readonly reading: Reading | null;
  /**
   * By the last reading before the first sending; absent where none was made yet, and in what an older version wrote,
   * which never replaced a file.
   */
  readonly before?: InvoiceBefore;
  /** Why the next call could not be made yet; shown to operators, decides nothing. */
  readonly blocked: string | null;
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

export function withPdfSending(progress: PdfProgress, at: string, seenFailureId: string): PdfProgress {
  return { ...progress, blocked: null, sendings: [...progress.sendings, pendingSending(at, seenFailureId)] };
}

export function withPdfAnswer(progress: PdfProgress, answer: SendingAnswer): PdfProgress {
  return { ...progress, sendings: answered(progress.sendings, answer) };
}

/** The last call cannot have reached the platform's queue, so it was no sending. */
export function withoutLastPdfSending(progress: PdfProgress, cause: string): PdfProgress {
  return { ...progress, blocked: cause, sendings: progress.sendings.slice(0, -1) };
}
