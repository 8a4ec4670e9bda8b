import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import type { ReadResult } from '@gondola/shared/results/read-result';
import type { Reason } from '@gondola/shared/results/reason-codes';

/** What became of the PDF that the file gateway was asked to attach. */
export interface PdfOutcome {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly platform: JsonValue;
  /** Uploads that may have reached the platform's queue. */
  readonly attempts: number;
}

/** Whether a PDF can be attached. */
export type PdfCheck =
  /** It is there until then, by the file gateway's clock, in milliseconds since 1970. */
  | { readonly kind: 'good'; readonly untilMs: number }
  /** An older file gateway does not know the question. */
  | { readonly kind: 'not-checked' }
  | { readonly kind: 'bad'; readonly reason: Reason };

const CHECK = 'CheckInvoicePdf';

/** Whether a result is about a PDF that an order's saga asked for. */
export function isAboutPdf({ command }: ReadResult): boolean {
  return command === CHECK || command === 'UploadInvoicePdf';
}

/** The first answer to the check of a PDF among the results that one command's PDF has. */
export function pdfCheck(results: readonly ReadResult[]): PdfCheck | null {
  const result = results.find(({ command }) => command === CHECK);
  if (result === undefined || result.outcome === null) return null;
  if (result.outcome === 'applied') return { kind: 'good', untilMs: untilOf(result.data) };
  const reason = reasonOf(result);
  if (reason === null || reason.code === 'COMMAND_UNKNOWN') return { kind: 'not-checked' };
  return { kind: 'bad', reason };
}

/**
 * The outcome that results of one upload leave, in the order of their arrival: the first one, and its correction if
 * there is one.
 */
export function pdfOutcome(results: readonly ReadResult[]): PdfOutcome | null {
  let known: PdfOutcome | null = null;
  for (const result of results) {
    const { command, outcome, isCorrection, evidence, platform, attempts } = result;
    if (command === CHECK || outcome === null) continue;
    if (known === null || isCorrection) known = { outcome, evidence, reason: reasonOf(result), platform, attempts };
  }
  return known;
}

function untilOf(data: JsonValue): number {
  const until = isPlainRecord(data) && typeof data['expiresAt'] === 'string' ? Date.parse(data['expiresAt']) : NaN;
  return Number.isNaN(until) ? Infinity : until;
}

/** The reason by the field of the command that asked, which is not the file gateway's. */
function reasonOf({ reason }: ReadResult): Reason | null {
  return reason === null ? null : { ...reason, field: 'pdf' };
}
