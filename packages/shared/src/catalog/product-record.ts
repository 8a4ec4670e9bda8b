import { type CatalogDefaults, type FilledField, applyDefaults } from './catalog-defaults.ts';
import { brokenReason, fieldReason, listed } from '../fields/field-reasons.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { type TranslatedNames, translateProductNames, translateSkuNames } from './name-translation.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';
import { type Judgement, type ProductRules, validateProduct } from './product-validation.ts';
import { type FieldReason, type Language, reasonText } from '../outcomes/reason-codes.ts';
import { unitFrom } from '../units-and-money/units.ts';
import { MAX_SKUS } from '../limits.ts';
import { withNumbers } from './whole-record.ts';

export interface ProductContext extends ProductRules {
  readonly defaults?: CatalogDefaults | undefined;
}

/** A product record ready to post, or the reasons against it. */
export interface PreparedProduct extends Judgement {
  /**
   * The body to post: a plain object with input names and the ERP's own digits, nulls and absent keys (rule 21).
   * Must not be sent if there are errors.
   */
  readonly body: JsonRecord;
  /** True if the tenant's defaults filled a field, which only a created entity may get (rule 23). */
  readonly isFilled: boolean;
}

/**
 * Turns the content of a catalog record (`readCatalogRecord`) into the body to post: translates names (rule 22),
 * fills in defaults of created entities (rule 23), resolves units and policy aliases, checks everything (rule 20),
 * and turns decimal text into numbers with the same digits. Errors and warnings are in the ERP's names and the
 * tenant's language, limited by `listed`.
 */
export function prepareProduct(content: JsonRecord, context: ProductContext): PreparedProduct {
  const tooMany = tooManySkus(content, context);
  if (tooMany !== null) return { body: content, isFilled: false, errors: [tooMany], warnings: [] };
  const translated = translateAll(content);
  const { record, filled, derived } = applyDefaults(translated.record, context.defaults ?? {}, context.known);
  const resolved = mapSkus(resolvePolicy(record, context), (sku) => resolveUnit(sku, context));
  const judgement = validateProduct(resolved, context, {
    product: translated.product.erpNames,
    skus: translated.skus.map((sku) => sku?.erpNames ?? new Map()),
    derived,
  });
  const warnings = [
    ...droppedWarnings(translated, context),
    ...defaultsApplied(filled, context.language),
    ...judgement.warnings,
  ];
  return {
    body: mapSkus(withNumbers(resolved, PRODUCT_FIELDS), (sku) => withNumbers(sku, SKU_FIELDS)),
    isFilled: filled.length > 0,
    errors: listed(judgement.errors, context.language),
    warnings: listed(warnings, context.language),
  };
}

/**
 * A list that is too long is reported as a single error: checking each of its SKUs would take time from all other
 * records.
 */
function tooManySkus({ skus }: JsonRecord, { language }: ProductContext): FieldReason | null {
  const spec = PRODUCT_FIELDS.skus;
  if (skus === undefined || !Array.isArray(skus) || skus.length <= MAX_SKUS) return null;
  return brokenReason('limit', language, { field: 'skus' }, { spec, value: skus });
}

/**
 * One warning for all fields that the tenant's file supplied (rule 23): the product's fields by name, those of its
 * SKUs as `skus[].name`.
 */
function defaultsApplied(filled: readonly FilledField[], language: Language): FieldReason[] {
  if (filled.length === 0) return [];
  const names = filled.map(({ field, ofSku }) => (ofSku ? `skus[].${field}` : field));
  const field = [...new Set(names)].join(', ');
  return [{ field, code: 'DEFAULT_APPLIED', message: reasonText('DEFAULT_APPLIED', language, { field }) }];
}

interface TranslatedProduct {
  readonly record: JsonRecord;
  readonly product: TranslatedNames;
  /** Aligned with `skus`; null for an entry that is no object. */
  readonly skus: readonly (TranslatedNames | null)[];
}

function translateAll(content: JsonRecord): TranslatedProduct {
  const product = translateProductNames(content);
  const entries = product.record['skus'];
  const skus = Array.isArray(entries)
    ? entries.map((sku: JsonValue) => (isPlainRecord(sku) ? translateSkuNames(sku) : null))
    : [];
  const record = Array.isArray(entries)
    ? { ...product.record, skus: entries.map((sku: JsonValue, index) => skus[index]?.record ?? sku) }
    : product.record;
  return { record, product, skus };
}

function droppedWarnings({ product, skus }: TranslatedProduct, { language }: ProductContext): FieldReason[] {
  const ofProduct = product.dropped.map((field) => fieldReason('FIELD_READ_ONLY', language, { field }));
  const ofSkus = skus.flatMap((sku, index) => {
    const reference = sku?.record['externalReference'];
    return (sku?.dropped ?? []).map((field) =>
      typeof reference === 'string'
        ? fieldReason('FIELD_READ_ONLY', language, { skuExternalReference: reference, field })
        : fieldReason('FIELD_READ_ONLY', language, { field: `skus[${index}].${field}` }),
    );
  });
  return [...ofProduct, ...ofSkus];
}

function resolvePolicy(record: JsonRecord, { commercialPolicies = {} }: ProductContext): JsonRecord {
  const alias = record['commercialPolicyId'];
  if (typeof alias !== 'string' || !Object.hasOwn(commercialPolicies, alias)) return record;
  return { ...record, commercialPolicyId: commercialPolicies[alias] ?? alias };
}

function resolveUnit(sku: JsonRecord, { units }: ProductContext): JsonRecord {
  const unit = unitFrom(sku['unitOfMeasurement'], units);
  return unit === null ? sku : { ...sku, unitOfMeasurement: unit };
}

function mapSkus(record: JsonRecord, change: (sku: JsonRecord) => JsonRecord): JsonRecord {
  const { skus } = record;
  if (!Array.isArray(skus)) return record;
  return { ...record, skus: skus.map((sku: JsonValue) => (isPlainRecord(sku) ? change(sku) : sku)) };
}
