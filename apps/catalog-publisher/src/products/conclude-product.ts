import * as conclusion from '@gondola/shared/results/conclusion';
import type { JsonRecord, JsonValue } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, type ReasonCode, reasonOf } from '@gondola/shared/outcomes/reason-codes';
import type { SkuOutcome } from '@gondola/shared/results/result';
import { type Effect, skuReferences } from '../product-state/applied-product.ts';
import { platformErrors, PRODUCT_PLACE, skuPlace, shownError } from '../platform/platform-error.ts';
import type { ProductReport } from '../notifications/product-report.ts';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { Evidence, FinalOutcome } from '@gondola/shared/outcomes/outcomes';

/** Outcome of a product record, with its effect on the product. */
export interface Concluded {
  readonly conclusion: RecordConclusion;
  readonly effect: Effect;
}

/**
 * Concludes a record by the platform's report (rule 26): success means that the product was processed and no SKU
 * failed. An unprocessed product is refused whole, since none of its SKUs was tried, whatever the counts say.
 */
export function concludeByReport(body: JsonRecord, report: ProductReport, language: Language): Concluded {
  const references = skuReferences(body);
  if (!report.processed) return concludeRefused(body, report.productError, 'event', language);
  const skus = skuOutcomes(references, report, language);
  const entered = new Set(references.filter((_, index) => skus[index]?.outcome === 'applied'));
  const effect: Effect = { kind: 'entered', body, skus: entered };
  if (report.failedSkus.length === 0 && entered.size === references.length) {
    return { conclusion: applied('event', skus), effect };
  }
  const conclusion = refused({
    evidence: 'event',
    language,
    errors: skus.flatMap(({ errors }) => errors),
    platform: shownError(report.failedSkus[0]?.error ?? null),
    skus,
  });
  return { conclusion, effect };
}

/** Concludes a product that the platform refused whole: by an event, or by a 4xx to a batch of it alone (rule 25). */
export function concludeRefused(
  body: JsonRecord,
  error: JsonRecord | null,
  evidence: 'event' | 'none',
  language: Language,
): Concluded {
  const errors = platformErrors(error, language, PRODUCT_PLACE, body);
  const platform: JsonValue = shownError(error);
  const skus = allSkus(skuReferences(body), 'refused');
  return { conclusion: refused({ evidence, language, errors, platform, skus }), effect: { kind: 'none' } };
}

/** Concludes a record whose values were read back (rule 27). */
export function concludeByReadBack(body: JsonRecord): Concluded {
  const references = skuReferences(body);
  return {
    conclusion: applied('read-back', allSkus(references, 'applied')),
    effect: { kind: 'entered', body, skus: new Set(references) },
  };
}

/** A SKU that the report does not name was applied, unless more failed than it names. */
function skuOutcomes(references: readonly string[], report: ProductReport, language: Language): SkuOutcome[] {
  const failed = new Map(report.failedSkus.map(({ externalReference, error }) => [externalReference, error]));
  const successful = new Set(report.successfulSkus);
  return references.map((externalReference): SkuOutcome => {
    const isRefused =
      failed.has(externalReference) || (report.hasUnnamedFailures && !successful.has(externalReference));
    if (!isRefused) return { externalReference, outcome: 'applied', errors: [] };
    const errors = platformErrors(failed.get(externalReference) ?? null, language, skuPlace(externalReference));
    return { externalReference, outcome: 'refused', errors };
  });
}

/** Outcome of a record; `skus` has the outcome of each SKU of a product, and is empty for other kinds. */
export interface RecordConclusion extends Conclusion {
  readonly skus: readonly SkuOutcome[];
}

function applied(evidence: Evidence, skus: readonly SkuOutcome[]): RecordConclusion {
  return { ...conclusion.applied(evidence), skus };
}

export function unchanged(skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.unchanged(), skus: allSkus(skuReferences, 'unchanged') };
}

/** A later record has all that this one, which waits, would change. */
export function superseded(skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.superseded(), skus: allSkus(skuReferences, 'superseded') };
}

/** `invalid`, with the first error as the reason; nothing was sent. */
export function invalid(errors: readonly FieldReason[], skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.invalid(errors), skus: allSkus(skuReferences, 'invalid', errors) };
}

/** `invalid` for a reason that concerns no single field; nothing was sent. */
export function invalidWhole(
  code: ReasonCode,
  language: Language,
  skuReferences: readonly string[],
  more: Parameters<typeof reasonOf>[2] = {},
): RecordConclusion {
  return { ...conclusion.invalidWhole(reasonOf(code, language, more)), skus: allSkus(skuReferences, 'invalid') };
}

/** `refused` by the platform. */
function refused(
  no: Pick<RecordConclusion, 'evidence' | 'errors' | 'platform' | 'skus'> & { readonly language: Language },
): RecordConclusion {
  const { language, skus, ...rest } = no;
  return { ...conclusion.refused(language, rest), skus };
}

/** `unconfirmed`: sent, without an outcome by the deadline. */
export function unconfirmed(language: Language, skuReferences: readonly string[]): RecordConclusion {
  return { ...conclusion.unconfirmed(language), skus: allSkus(skuReferences, 'unconfirmed') };
}

/** One outcome for all SKUs, each with the errors that name it. */
function allSkus(
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
