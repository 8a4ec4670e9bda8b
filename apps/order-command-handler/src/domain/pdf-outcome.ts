import { isPlainRecord, type JsonValue } from '@gondola/shared/json-digits';
import { type Evidence, EVIDENCES, FINAL_OUTCOMES, type FinalOutcome } from '@gondola/shared/outcomes';
import { type Reason, REASON_CODES } from '@gondola/shared/reason-codes';

/** What became of the PDF that the file gateway was asked to attach. */
export interface PdfOutcome {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly platform: JsonValue;
  /** Uploads that may have reached the platform's queue. */
  readonly attempts: number;
}

/** The outcome that results of one upload leave, in the order of their arrival: the first one, and its correction if there is one. */
export function pdfOutcome(results: readonly JsonValue[]): PdfOutcome | null {
  let known: PdfOutcome | null = null;
  for (const result of results) {
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
