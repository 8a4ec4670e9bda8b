import type { JsonRecord, JsonValue } from '@gondola/shared/json-digits';
import { isPlainRecord } from '@gondola/shared/json-digits';
import { fieldOfProperty } from '@gondola/shared/name-translation';
import { type FieldReason, type Language, type ReasonCode, reasonText } from '@gondola/shared/reason-codes';
import type { SkuOutcome } from '@gondola/shared/result';
import type { Evidence } from '@gondola/shared/outcomes';
import { type AppliedProduct, afterApplying, referenceOf, splitBody } from './applied-product.ts';
import { applied, type Conclusion, refused } from './conclusion.ts';
import type { ProductReport } from './product-report.ts';

/**
 * The end of a record by the platform's report of it (rule 26): success is a product that was processed and no SKU that failed. A product
 * that was not processed is refused whole, since none of its SKUs was tried, whatever the counts say.
 */
export function settleByReport(
  body: JsonRecord,
  report: ProductReport,
  known: AppliedProduct,
  language: Language,
): Conclusion {
  const references = splitBody(body).skus.map(referenceOf);
  if (!report.processed) {
    const errors = fieldErrors(report.productError, language);
    return refused({
      evidence: 'event',
      language,
      errors,
      platform: report.productError,
      skus: references.map((externalReference) => ({ externalReference, outcome: 'refused', errors: [] })),
      appliedProduct: null,
    });
  }
  const failed = new Map(report.failedSkus.map(({ externalReference, error }) => [externalReference, error]));
  const entered = new Set(references.filter((reference) => !failed.has(reference)));
  const appliedProduct = afterApplying(known, body, entered);
  const skus = skuOutcomes(references, failed, language);
  if (failed.size === 0) return settleApplied('event', appliedProduct, skus);
  return refused({
    evidence: 'event',
    language,
    errors: skus.flatMap(({ errors }) => errors),
    platform: report.failedSkus[0]?.error ?? null,
    skus,
    appliedProduct,
  });
}

/** The end of a record that was read back and is as asked (rule 27). */
export function settleByReadBack(body: JsonRecord, known: AppliedProduct): Conclusion {
  const references = splitBody(body).skus.map(referenceOf);
  const skus = references.map((externalReference): SkuOutcome => ({
    externalReference,
    outcome: 'applied',
    errors: [],
  }));
  return settleApplied('read-back', afterApplying(known, body, new Set(references)), skus);
}

function settleApplied(evidence: Evidence, appliedProduct: AppliedProduct, skus: readonly SkuOutcome[]): Conclusion {
  return { ...applied(evidence, appliedProduct), skus };
}

function skuOutcomes(
  references: readonly string[],
  failed: ReadonlyMap<string, JsonRecord | null>,
  language: Language,
): SkuOutcome[] {
  return references.map((externalReference) => {
    if (!failed.has(externalReference)) return { externalReference, outcome: 'applied', errors: [] };
    const errors = fieldErrors(failed.get(externalReference) ?? null, language, externalReference);
    return { externalReference, outcome: 'refused', errors };
  });
}

/**
 * The platform's validation errors by the ERP's field names (platform-api.md, "Error object"): a rejected property comes in Pascal case and
 * without the product in front of it. Limits are checked before anything is sent, so a rejected slug is one that is taken.
 */
function fieldErrors(error: JsonRecord | null, language: Language, skuExternalReference?: string): FieldReason[] {
  const validations: JsonValue = error?.['validationErrors'] ?? [];
  if (!Array.isArray(validations)) return [];
  return validations.filter(isPlainRecord).map((entry: JsonRecord) => {
    const property = typeof entry['key'] === 'string' ? entry['key'] : '';
    const field = fieldOfProperty(property, skuExternalReference === undefined ? 'product' : 'sku');
    const code: ReasonCode = field === 'slug' && skuExternalReference === undefined ? 'SLUG_TAKEN' : 'PLATFORM_REFUSED';
    const said = typeof entry['validation'] === 'string' ? entry['validation'] : undefined;
    return {
      ...(skuExternalReference !== undefined && { skuExternalReference }),
      field,
      code,
      message: reasonText(code, language, { field }),
      ...(said !== undefined && { hint: said }),
    };
  });
}
