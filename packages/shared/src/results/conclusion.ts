import type { JsonValue } from '../json/json-digits.ts';
import type { Evidence, FinalOutcome } from '../outcomes/outcomes.ts';
import {
  type FieldReason,
  type Language,
  type Reason,
  type ReasonCode,
  type ReasonParams,
  reasonOf,
} from '../outcomes/reason-codes.ts';
import type { SkuOutcome } from './result.ts';

/** Conclusion of a command, with the fields of its result. */
export interface Conclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly errors: readonly FieldReason[];
  /** The platform's error object. */
  readonly platform: JsonValue;
  readonly warnings?: readonly FieldReason[];
  /** Answer of a command that only reads. */
  readonly data?: JsonValue;
  /** Outcomes of a product's SKUs. */
  readonly skus?: readonly SkuOutcome[];
  /** Last revision of an order that was published when the command ended; null if none was. */
  readonly revision?: number | null;
}

/** The optional fields of a conclusion. */
type More = Pick<Conclusion, 'data' | 'skus' | 'warnings'>;

const NOTHING_MORE = { reason: null, errors: [], platform: null } as const;

export function applied(evidence: Evidence, more: More = {}): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence, ...more };
}

/** `unchanged`: the platform is already in that state, so nothing was sent. */
export function unchanged(more: More = {}): Conclusion {
  return { ...NOTHING_MORE, outcome: 'unchanged', evidence: 'already-in-state', ...more };
}

/** A newer price, warehouse or stock value was sent instead. */
export function superseded(): Conclusion {
  return { ...NOTHING_MORE, outcome: 'superseded', evidence: 'none' };
}

/** Rejected by Gondola before any call, with the first error as the reason. */
export function invalid(errors: readonly FieldReason[], more: More = {}): Conclusion {
  const [first] = errors;
  if (first === undefined) throw new Error('An invalid command needs a reason');
  const { skuExternalReference: _none, ...reason } = first;
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason, errors, ...more };
}

/** Stopped by Gondola for a reason that concerns no single field. */
export function invalidWhole(reason: Reason, more: More = {}): Conclusion {
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason, ...more };
}

/** Refused by the platform. */
export function refused(
  language: Language,
  no: Pick<Conclusion, 'evidence' | 'platform'> &
    Partial<Pick<Conclusion, 'errors' | 'skus'>> & {
      readonly code?: ReasonCode;
      readonly params?: ReasonParams;
      readonly hint?: string;
    },
): Conclusion {
  const { code = 'PLATFORM_REFUSED', params = {}, hint, ...rest } = no;
  const reason = reasonOf(code, language, { params, ...(hint !== undefined && { hint }) });
  return { ...NOTHING_MORE, ...rest, outcome: 'refused', reason };
}

/** Sent, without an answer by the deadline. */
export function unconfirmed(language: Language, more: More = {}): Conclusion {
  const reason = reasonOf('PLATFORM_SILENT', language);
  return { ...NOTHING_MORE, outcome: 'unconfirmed', evidence: 'none', reason, ...more };
}
