import { isPlainRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import { type Evidence, EVIDENCES, FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/results/outcomes';
import { type Reason, REASON_CODES } from '@gondola/shared/results/reason-codes';

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

/** The first answer to the check of a PDF among the results that one command's PDF has. */
export function pdfCheck(results: readonly JsonValue[]): PdfCheck | null {
  const result = results.find((each) => isPlainRecord(each) && each['command'] === CHECK);
  const known = result === undefined ? null : read(result);
  if (known === null || !isPlainRecord(result)) return null;
  const { outcome, reason } = known.outcome;
  if (outcome === 'applied') return { kind: 'good', untilMs: untilOf(result['data']) };
  if (reason === null || reason.code === 'COMMAND_UNKNOWN') return { kind: 'not-checked' };
  return { kind: 'bad', reason };
}

/**
 * The outcome that results of one upload leave, in the order of their arrival: the first one, and its correction if
 * there is one.
 */
export function pdfOutcome(results: readonly JsonValue[]): PdfOutcome | null {
  let known: PdfOutcome | null = null;
  for (const result of results) {
    if (isPlainRecord(result) && result['command'] === CHECK) continue;
    const next = read(result);
    if (next !== null && (known === null || next.isCorrection)) known = next.outcome;
  }
  return known;
}

function read(result: JsonValue): { readonly outcome: PdfOutcome; readonly isCorrection: boolean } | null {
  if (!isPlainRecord(result)) return null;
  const isCorrection = result['outcome'] === 'corrected';
  const outcome = FINAL_OUTCOMES.find((each) => each === result[isCorrection ? 'correctedOutcome' : 'outcome']);
  if (outcome === undefined) return null;
  return {
    isCorrection,
    outcome: {
      outcome,
      evidence: EVIDENCES.find((each) => each === result['evidence']) ?? 'none',
      reason: reasonOf(result['reason']),
      platform: result['platform'] ?? null,
      attempts: attemptsOf(result['attempts']),
    },
  };
}

function untilOf(data: JsonValue | undefined): number {
  const until = isPlainRecord(data) && typeof data['expiresAt'] === 'string' ? Date.parse(data['expiresAt']) : NaN;
  return Number.isNaN(until) ? Infinity : until;
}

function attemptsOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}

function reasonOf(value: JsonValue | undefined): Reason | null {
  if (!isPlainRecord(value)) return null;
  const code = REASON_CODES.find((each) => each === value['code']);
  const { message, hint } = value;
  if (code === undefined || typeof message !== 'string') return null;
  return { code, message, field: 'pdf', ...(typeof hint === 'string' && { hint }) };
}
