import { textOrNull, violation, violations, withPresentKeys } from '../catalog/field-rules.ts';
import { errorObject, invalid, type CoreRefusal, type ErrorObject, type Violation } from '../values/refusal.ts';
import { isJsonArray, isJsonObject, keyOf, type Json, type JsonObject } from '../values/exact-json.ts';
import { laterThan, type Ticks } from '../values/local-time.ts';
import { PRODUCT_FIELDS, SKU_FIELDS } from './product-fields.ts';
import type { ProductResult, SkuResult } from './product-report.ts';
import type { Product, Sku } from './product.ts';

const CORE_PRODUCTS = '/v1/gateway/products';
const CORE_SKUS = '/v1/gateway/skus';

/** Stored state for the decision about one item of a product batch. */
export interface KnownToCore {
  readonly existing: Product | undefined;
  readonly slugTaken: boolean;
  /** SKU references of the item that belong to another product. */
  readonly foreignSkus: ReadonlySet<string>;
  /** Id of the brand that the item names, null if it does not exist; undefined if the item has no such key. */
  readonly brandId: string | null | undefined;
  readonly categoryId: string | null | undefined;
  readonly refusal?: CoreRefusal;
}

export interface DecisionInputs {
  readonly now: Ticks;
  readonly newGuid: () => string;
  readonly newTraceId: () => string;
}

export interface ProductDecision {
  readonly result: ProductResult;
  /** Product to store; undefined if the product failed. */
  readonly product: Product | undefined;
}

/**
 * Decides one item of a batch as the core does: the product first; if it fails, no SKU is tried; then each SKU
 * separately. docs/platform.md, "Asynchronous errors".
 */
export function decideProduct(item: Json, known: KnownToCore, inputs: DecisionInputs): ProductDecision {
  const given = isJsonObject(item) ? item : {};
  const { existing } = known;
  const skus = skuItems(given);
  const refusal = known.refusal ?? productRefusal(given, known);
  const common = {
    externalReference: textOrNull(item, 'externalReference'),
    name: textOrNull(item, 'name') ?? (existing ? textOrNull(existing.fields, 'name') : null),
    existed: existing !== undefined,
    skuTotal: skus.length,
  };
  if (refusal) {
    const error = errorObject(refusal, { instance: CORE_PRODUCTS, traceId: inputs.newTraceId() });
    return { result: { ...common, error, tried: [] }, product: undefined };
  }

  const tried: SkuResult[] = [];
  let stored = existing?.skus ?? [];
  for (const sku of skus) {
    const decision = decideSku(sku, stored, known.foreignSkus, inputs);
    tried.push(decision.result);
    stored = decision.skus;
  }
  const product: Product = {
    id: existing?.id ?? inputs.newGuid(),
    externalReference: existing?.externalReference ?? common.externalReference ?? '',
    fields: withPresentKeys(PRODUCT_FIELDS, existing?.fields ?? {}, given),
    skus: stored,
    brandId: known.brandId === undefined ? (existing?.brandId ?? null) : known.brandId,
    categoryId: known.categoryId === undefined ? (existing?.categoryId ?? null) : known.categoryId,
    createdAt: existing?.createdAt ?? inputs.now,
    updatedAt: existing ? laterThan(existing.updatedAt, inputs.now) : inputs.now,
  };
  return { result: { ...common, error: null, tried }, product };
}

function productRefusal(given: JsonObject, { existing, slugTaken }: KnownToCore): CoreRefusal | undefined {
  const found: Violation[] = violations(PRODUCT_FIELDS, given, existing === undefined);
  const skus = keyOf(given, 'skus');
  if (skus !== undefined && skus !== null && !isJsonArray(skus)) found.push(violation('Skus', 'must be a list.'));
  if (slugTaken) found.push(violation('Slug', 'is already in use by another product.'));
  return found.length === 0 ? undefined : invalid(found);
}

function decideSku(
  item: Json,
  skus: readonly Sku[],
  foreignSkus: ReadonlySet<string>,
  inputs: DecisionInputs,
): { result: SkuResult; skus: readonly Sku[] } {
  const given = isJsonObject(item) ? item : {};
  const externalReference = textOrNull(item, 'externalReference');
  const existing = skus.find((sku) => sku.externalReference === externalReference);
  const found = violations(SKU_FIELDS, given, existing === undefined);
  // Applies to updates too: without its reference a SKU is not an existing one.
  if (externalReference !== null && foreignSkus.has(externalReference)) {
    found.push(violation('ExternalReference', 'already belongs to another product.'));
  }
  if (found.length > 0) {
    const error: ErrorObject = errorObject(invalid(found), { instance: CORE_SKUS, traceId: inputs.newTraceId() });
    return { result: { externalReference, error }, skus };
  }
  const sku: Sku = {
    id: existing?.id ?? inputs.newGuid(),
    externalReference: externalReference ?? '',
    fields: withPresentKeys(SKU_FIELDS, existing?.fields ?? {}, given),
  };
  const stored = existing ? skus.map((other) => (other === existing ? sku : other)) : [...skus, sku];
  return { result: { externalReference, error: null }, skus: stored };
}

function skuItems(given: JsonObject): readonly Json[] {
  const skus = keyOf(given, 'skus');
  return isJsonArray(skus) ? skus : [];
}
