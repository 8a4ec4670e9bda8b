import type { JsonValue } from '@gondola/shared/json/json-digits';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import {
  type FieldReason,
  type Language,
  type Reason,
  type ReasonCode,
  reasonOf,
} from '@gondola/shared/results/reason-codes';
import type { SkuOutcome } from '@gondola/shared/results/result';

/** The end of a record, as its result tells it. */
export interface Conclusion {
  readonly outcome: FinalOutcome;
  readonly evidence: Evidence;
  readonly reason: Reason | null;
  readonly errors: readonly FieldReason[];
  /** Of a product. */
  readonly skus: readonly SkuOutcome[];
  /** The platform's error object. */
  readonly platform: JsonValue;
}

const NOTHING_MORE = { reason: null, errors: [], platform: null } as const;

export function applied(evidence: Evidence, skus: readonly SkuOutcome[]): Conclusion {
  return { ...NOTHING_MORE, outcome: 'applied', evidence, skus };
}

export function unchanged(skuReferences: readonly string[]): Conclusion {
  return {
    ...NOTHING_MORE,
    outcome: 'unchanged',
    evidence: 'already-in-state',
    skus: allSkus(skuReferences, 'unchanged'),
  };
}

/** Stopped here, with the first error as the reason; nothing was sent. */
export function invalid(errors: readonly FieldReason[], skuReferences: readonly string[]): Conclusion {
  const [first] = errors;
  if (first === undefined) throw new Error('A record is invalid for a reason');
  const { code, message, field, hint } = first;
  const reason = { code, message, field, ...(hint !== undefined && { hint }) };
  const skus = allSkus(skuReferences, 'invalid', errors);
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason, errors, skus };
}

/** Stopped here for a reason that lies in no one field. */
export function invalidWhole(
  code: ReasonCode,
  language: Language,
  skuReferences: readonly string[],
  more: Parameters<typeof reasonOf>[2] = {},
): Conclusion {
  const skus = allSkus(skuReferences, 'invalid');
  return { ...NOTHING_MORE, outcome: 'invalid', evidence: 'none', reason: reasonOf(code, language, more), skus };
}

/** The platform's no. */
export function refused(
  no: Pick<Conclusion, 'evidence' | 'errors' | 'platform' | 'skus'> & { readonly language: Language },
): Conclusion {
  const { language, ...rest } = no;
  return { ...rest, outcome: 'refused', reason: reasonOf('PLATFORM_REFUSED', language) };
}

/** Sent, and silent to the end. */
export function unconfirmed(language: Language, skuReferences: readonly string[]): Conclusion {
  const skus = allSkus(skuReferences, 'unconfirmed');
  return {
    ...NOTHING_MORE,
    outcome: 'unconfirmed',
    evidence: 'none',
    reason: reasonOf('PLATFORM_SILENT', language),
    skus,
  };
}

/** One outcome for all SKUs, each with those errors that name it. */
export function allSkus(
  references: readonly string[],
  outcome: FinalOutcome,
  errors: readonly FieldReason[] = [],
): SkuOutcome[] {
  return references.map((externalReference) => ({
    externalReference,
    outcome,
    errors: errors.filter(({ skuExternalReference }) => skuExternalReference === externalReference),
  }));
}
