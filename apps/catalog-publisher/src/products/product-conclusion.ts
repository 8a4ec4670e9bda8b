import * as conclusion from '@gondola/shared/results/conclusion';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Evidence, FinalOutcome } from '@gondola/shared/results/outcomes';
import { type FieldReason, type Language, type ReasonCode, reasonOf } from '@gondola/shared/results/reason-codes';
import type { SkuOutcome } from '@gondola/shared/results/result';

/** How a record ended; `skus` says what became of each SKU of a product, and is empty for all else. */
export interface RecordConclusion extends Conclusion {
  readonly skus: readonly SkuOutcome[];
}

export function applied(evidence: Evidence, skus: readonly SkuOutcome[]): RecordConclusion {
  return { ...conclusion.applied(evidence), skus };
}

export function unchanged(skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.unchanged(), skus: allSkus(skuReferences, 'unchanged') };
}

/** Stopped here, with the first error as the reason; nothing was sent. */
export function invalid(errors: readonly FieldReason[], skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.invalid(errors), skus: allSkus(skuReferences, 'invalid', errors) };
}

/** Stopped here for a reason that lies in no one field. */
export function invalidWhole(
  code: ReasonCode,
  language: Language,
  skuReferences: readonly string[],
  more: Parameters<typeof reasonOf>[2] = {},
): RecordConclusion {
  return { ...conclusion.invalidWhole(reasonOf(code, language, more)), skus: allSkus(skuReferences, 'invalid') };
}

/** The platform's no. */
export function refused(
  no: Pick<RecordConclusion, 'evidence' | 'errors' | 'platform' | 'skus'> & { readonly language: Language },
): RecordConclusion {
  const { language, skus, ...rest } = no;
  return { ...conclusion.refused(language, rest), skus };
}

/** Sent, and silent to the end. */
export function unconfirmed(language: Language, skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.unconfirmed(language), skus: allSkus(skuReferences, 'unconfirmed') };
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
