import { isPlainRecord, type JsonValue } from '../json/json-digits.ts';
import { isIdentityText } from '../topics/identities.ts';
import { EVIDENCES, FINAL_OUTCOMES, type Evidence, type FinalOutcome } from '../outcomes/outcomes.ts';
import { REASON_CODES, type Reason } from '../outcomes/reason-codes.ts';

/**
 * A result as a consumer reads it (contract, "Results"). A field with another type than the contract's is absent.
 */
export interface ReadResult {
  readonly id: string | null;
  /** As written; the record's tenant is determined by its header and this field together. */
  readonly tenant: JsonValue;
  readonly command: string | null;
  readonly parentCommandId: string | null;
  /** The final outcome; for a correction, the corrected outcome; null for a result that is not final. */
  readonly outcome: FinalOutcome | null;
  readonly isCorrection: boolean;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly data: JsonValue;
  readonly attempts: number;
  readonly platform: JsonValue;
}

/** The result in a record's value; null if it is no JSON object. The counterpart of `buildResult`. */
export function readResult(value: JsonValue | undefined): ReadResult | null {
  if (!isPlainRecord(value)) return null;
  const isCorrection = value['outcome'] === 'corrected';
  const outcome = value[isCorrection ? 'correctedOutcome' : 'outcome'];
  return {
    id: textOf(value['id']),
    tenant: value['tenant'] ?? null,
    command: textOf(value['command']),
    parentCommandId: textOf(value['parentCommandId']),
    outcome: FINAL_OUTCOMES.find((each) => each === outcome) ?? null,
    isCorrection,
    evidence: EVIDENCES.find((each) => each === value['evidence']) ?? 'none',
    reason: reasonIn(value['reason']),
    data: value['data'] ?? null,
    attempts: countOf(value['attempts']),
    platform: value['platform'] ?? null,
  };
}

function textOf(value: JsonValue | undefined): string | null {
  return isIdentityText(value) ? value : null;
}

function countOf(value: JsonValue | undefined): number {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : 0;
}

function reasonIn(value: JsonValue | undefined): Reason | null {
  if (!isPlainRecord(value)) return null;
  const code = REASON_CODES.find((each) => each === value['code']);
  const { message, field, hint } = value;
  if (code === undefined || typeof message !== 'string') return null;
  return { code, message, ...(typeof field === 'string' && { field }), ...(typeof hint === 'string' && { hint }) };
}
