import type { JsonValue } from '@gondola/shared/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes';
import { type FieldReason, type Language, type Reason, type ReasonCode, reasonOf } from '@gondola/shared/reason-codes';
import type { SkuOutcome } from '@gondola/shared/result';
import type { AppliedProduct } from './applied-product.ts';

/** The end of a record. */
export interface Conclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly errors: readonly FieldReason[];
  readonly skus: readonly SkuOutcome[];
  /** The platform's error object. */
  readonly platform: JsonValue;
  /** What is known to be applied from now on; null when that did not change. */
  readonly appliedProduct: AppliedProduct | null;
}

const NOTHING_MORE = { reason: null, errors: [], skus: [], platform: null, appliedProduct: null } as const;

export function applied(evidence: Evidence, appliedProduct: AppliedProduct): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence, appliedProduct };
}

export function unchanged(): Conclusion {
  return { ...NOTHING_MORE, outcome: 'unchanged', evidence: 'already-in-state' };
}

/** Stopped here, with the first error as the reason; nothing was sent. */
export function invalid(errors: readonly FieldReason[]): Conclusion {
  const [first] = errors;
  if (first === undefined) throw new Error('A record is invalid for a reason');
  const { code, message, field, hint } = first;
  const reason = { code, message, field, ...(hint !== undefined && { hint }) };
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason, errors };
}

/** Stopped here for a reason that lies in no one field. */
export function invalidWhole(
  code: ReasonCode,
  language: Language,
  more: Parameters<typeof reasonOf>[2] = {},
): Conclusion {
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason: reasonOf(code, language, more) };
}

/** The platform's no. */
export function refused(
  no: Pick<Conclusion, 'evidence' | 'errors' | 'platform' | 'skus' | 'appliedProduct'> & {
    readonly language: Language;
  },
): Conclusion {
  const { language, ...rest } = no;
  return { ...rest, outcome: 'refused', reason: reasonOf('PLATFORM_REFUSED', language) };
}

/** Sent, and silent to the end. */
export function unconfirmed(language: Language): Conclusion {
  return { ...NOTHING_MORE, outcome: 'unconfirmed', evidence: 'none', reason: reasonOf('PLATFORM_SILENT', language) };
}
