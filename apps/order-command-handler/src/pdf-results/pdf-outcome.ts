import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { ReadResult } from '@gondola/shared/results/read-result';
import type { Reason } from '@gondola/shared/outcomes/reason-codes';

/** Outcome of the PDF upload by file-gateway. */
export interface PdfOutcome {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly platform: JsonValue;
  /** Number of uploads that may have reached the platform's queue. */
  readonly attempts: number;
}

export type PdfCheck =
  /** Usable until `untilMs`, by file-gateway's clock, in milliseconds since 1970. */
  | { readonly kind: 'good'; readonly untilMs: number }
  /** An older file-gateway does not support the check. */
  | { readonly kind: 'not-checked' }
  | { readonly kind: 'bad'; readonly reason: Reason };

const CHECK = 'CheckInvoicePdf';

/** True for a result about a PDF that an invoice saga requested. */
export function isAboutPdf({ command }: ReadResult): boolean {
  return command === CHECK || command === 'UploadInvoicePdf';
}

/** The first answer to the PDF check among the results of one command. */
export function pdfCheck(results: readonly ReadResult[]): PdfCheck | null {
  const result = results.find(({ command }) => command === CHECK);
  if (result === undefined || result.outcome === null) return null;
  if (result.outcome === 'applied') return { kind: 'good', untilMs: untilOf(result.data) };
  const reason = reasonOf(result);
  if (reason === null || reason.code === 'COMMAND_UNKNOWN') return { kind: 'not-checked' };
  return { kind: 'bad', reason };
}

/**
 * Outcome of one upload from its results in order of arrival: the first one, or its correction.
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

/** The reason with the field name of the invoice command instead of file-gateway's. */
function reasonOf({ reason }: ReadResult): Reason | null {
  return reason === null ? null : { ...reason, field: 'pdf' };
}
