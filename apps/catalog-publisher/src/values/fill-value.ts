import type { filledData } from '@gondola/platform-client/wire-bodies';
import { contradictions, withoutAliases } from '@gondola/shared/catalog/value-place';
import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';
import { isIdentityText } from '@gondola/shared/topics/identities';
import type { ValueKind } from '@gondola/shared/topics/values';
import type { SkuContent } from '../product-state/known-sku.ts';
import type { ValueNames } from '../records/place-names.ts';

/** Input of a value's body besides the record. */
export interface ValueFilling {
  readonly kind: ValueKind;
  readonly names: ValueNames;
  /** Null while the SKU is unknown, and for a warehouse. */
  readonly sku: Pick<SkuContent, 'skuId' | 'productId'> | null;
  /** Lays the fields of the wire profile under the data. */
  readonly fill: typeof filledData;
}

/** Errors of a record whose `data` names another SKU, warehouse or policy than the record does beside it. */
export function contradictionErrors(
  content: JsonRecord,
  { kind, names, sku }: ValueFilling,
  language: Language,
): FieldReason[] {
  return contradictions(kind, content, names, sku?.skuId ?? null).map(({ field, given: value, other, expected }) => {
    const params = { ...given(value, language), other, expected: JSON.stringify(expected) };
    return fieldReason('NAMES_CONTRADICT', language, { field }, { params });
  });
}

/**
 * Body of a value: its `data`, filled by the wire profile with what the record names beside it. What `data` says under
 * a name of its own is filled under no second one.
 */
export function filledValue(
  content: JsonRecord,
  data: JsonRecord,
  { kind, names, sku, fill }: ValueFilling,
): JsonRecord {
  const { externalReference, warehouse, policy } = content;
  const policyId = isIdentityText(policy) && Object.hasOwn(names.policies, policy) ? names.policies[policy] : policy;
  return fill(withoutAliases(data, names), names.fields, {
    '<SKU>': kind === 'warehouse' ? undefined : externalReference,
    '<SKU_ID>': sku?.skuId ?? undefined,
    '<PRODUCT_ID>': sku?.productId ?? undefined,
    '<WAREHOUSE>': (kind === 'warehouse' ? externalReference : warehouse) ?? undefined,
    '<POLICY>': policyId ?? undefined,
  });
}
