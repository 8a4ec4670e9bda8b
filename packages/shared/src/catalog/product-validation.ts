import { CATALOG_CONTROL_FIELDS } from './catalog-control.dto.ts';
import { type DerivedFields, type KnownProduct, sourceField } from './catalog-defaults.ts';
import { brokenConstraints, type RecordMode } from '../fields/broken-constraints.ts';
import { brokenReason, fieldReason, given, reasonsFor, unknownReason } from '../fields/field-reasons.ts';
import type { FieldTable } from '../schemas/field.decorators.ts';
import { fieldWords } from '../fields/field-texts.ts';
import { isBarCode, isNcm, NO_GTIN } from '../fields/trade-codes.ts';
import { isIdentityText } from '../topics/identities.ts';
import { type JsonRecord, type JsonValue, isPlainRecord } from '../json/json-digits.ts';
import { PRODUCT_FIELDS } from './product-record.dto.ts';
import { SKU_FIELDS } from './sku-record.dto.ts';
import type { FieldReason, Language } from '../outcomes/reason-codes.ts';
import { UNIT_NAMES, type UnitName } from '../units-and-money/units.ts';

/** Settings of the tenant for the validation. */
export interface ProductRules {
  readonly language: Language;
  readonly known: KnownProduct;
  /** The ERP's unit → the platform's unit. */
  readonly units?: Readonly<Record<string, UnitName>> | undefined;
  /** Alias → GUID. */
  readonly commercialPolicies?: Readonly<Record<string, string>> | undefined;
  /** Additional keys that are accepted on the product and on its SKUs. */
  readonly allowedExtraKeys?: readonly string[] | undefined;
}

/** The ERP's name of a field, by its input name. */
export type ErpNames = ReadonlyMap<string, string>;

export interface Judgement {
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
}

interface Level {
  readonly table: FieldTable;
  readonly names: readonly string[];
}

const PRODUCT: Level = {
  table: PRODUCT_FIELDS,
  names: [...Object.keys(PRODUCT_FIELDS), ...Object.keys(CATALOG_CONTROL_FIELDS)],
};
const SKU: Level = { table: SKU_FIELDS, names: Object.keys(SKU_FIELDS) };

/**
 * Checks a product record with the names of the input tables and the platform's units and policies: types, limits,
 * fields required to create the product or a SKU, unknown keys (rule 20). The platform checks nothing before it
 * answers, so every error must be found here.
 */
export function validateProduct(
  record: JsonRecord,
  rules: ProductRules,
  erpNames: { readonly product: ErpNames; readonly skus: readonly ErpNames[]; readonly derived?: DerivedFields },
): Judgement {
  const mode: RecordMode = rules.known.product ? 'update' : 'create';
  const { derived } = erpNames;
  const wrong = brokenConstraints(PRODUCT.table, record, mode);
  const ofProduct = { mode, wrong, isMade: isMadeOf(wrong, derived?.product, false) };
  const product = judgeLevel(PRODUCT, record, ofProduct, rules, 0, (field) => ({
    field: erpNames.product.get(field) ?? field,
  }));
  const skus = Array.isArray(record['skus']) ? (record['skus'] as readonly JsonValue[]) : [];
  const seen = new Set<string>();
  const judged = [product];
  let found = product.errors.length;
  for (const [index, sku] of skus.entries()) {
    if (!isPlainRecord(sku)) continue;
    const isMade = isMadeOf(wrong, derived?.skus[index], true);
    const judgement = judgeSku(sku, { index, seen, found, isMade }, rules, erpNames.skus[index] ?? new Map());
    judged.push(judgement);
    found += judgement.errors.length;
  }
  return {
    errors: judged.flatMap(({ errors }) => errors),
    warnings: judged.flatMap(({ warnings }) => warnings),
  };
}

/** True if a field was to be derived from an invalid one, whose error is reported instead. */
type IsMade = (field: string) => boolean;

type BrokenConstraints = ReturnType<typeof brokenConstraints>;

function isMadeOf(wrong: BrokenConstraints, derived: ReadonlySet<string> | undefined, ofSku: boolean): IsMade {
  return (field) => derived?.has(field) === true && wrong.has(sourceField(field, ofSku) ?? '');
}

function judgeSku(
  sku: JsonRecord,
  {
    index,
    seen,
    found,
    isMade,
  }: { readonly index: number; readonly seen: Set<string>; readonly found: number; readonly isMade: IsMade },
  rules: ProductRules,
  erpNames: ErpNames,
): Judgement {
  const value = sku['externalReference'];
  const reference = isIdentityText(value) ? value : undefined;
  // A SKU without a readable reference is identified by its position in the list.
  const placeOf = (field: string) => {
    const name = erpNames.get(field) ?? field;
    return { skuExternalReference: reference, field: reference === undefined ? `skus[${index}].${name}` : name };
  };
  const mode = reference !== undefined && rules.known.skus.has(reference) ? 'update' : 'create';
  const wrong = brokenConstraints(SKU.table, sku, mode);
  const judgement = judgeLevel(SKU, sku, { mode, wrong, isMade }, rules, found, placeOf);
  if (reference === undefined || !seen.has(reference)) {
    if (reference !== undefined) seen.add(reference);
    return judgement;
  }
  const twice = fieldReason('SKU_AMBIGUOUS', rules.language, placeOf('externalReference'), {
    params: given(reference, rules.language),
  });
  return { ...judgement, errors: [...judgement.errors, twice] };
}

function judgeLevel(
  level: Level,
  record: JsonRecord,
  { mode, wrong, isMade }: { readonly mode: RecordMode; readonly wrong: BrokenConstraints; readonly isMade: IsMade },
  rules: ProductRules,
  found: number,
  placeOf: (field: string) => { field: string; skuExternalReference?: string | undefined },
): Judgement {
  const { language } = rules;
  const broken = new Map([...wrong].filter(([field]) => !isMade(field)));
  const errors = reasonsFor(broken, found, ([field, constraint]) =>
    brokenReason(constraint, language, placeOf(field), {
      spec: level.table[field] ?? { type: 'any' },
      value: record[field],
      hint: valueHint(field, rules),
    }),
  );
  const unknown = Object.keys(record).filter(
    (key) => !Object.hasOwn(level.table, key) && rules.allowedExtraKeys?.includes(key) !== true,
  );
  const reasons = reasonsFor(unknown, found + errors.length, (key) =>
    unknownReason(key, language, placeOf(key), { names: level.names, isProduct: true }),
  );
  return {
    errors: reasons.length === 0 ? errors : [...errors, ...reasons],
    warnings: doubts(record, broken, language, placeOf, { mode, ofSku: level === SKU }),
  };
}

/** Warnings about values that the platform accepts but that are probably mistakes. */
function doubts(
  record: JsonRecord,
  broken: ReadonlyMap<string, unknown>,
  language: Language,
  placeOf: (field: string) => { field: string; skuExternalReference?: string | undefined },
  { mode, ofSku }: { readonly mode: RecordMode; readonly ofSku: boolean },
): FieldReason[] {
  const { ean, fiscalCode } = record;
  const warnings: FieldReason[] = [];
  if (typeof ean === 'string' && ean !== '' && ean !== NO_GTIN && !broken.has('ean') && !isBarCode(ean)) {
    warnings.push(fieldReason('GTIN_INVALID', language, placeOf('ean'), { params: given(ean, language) }));
  }
  if (typeof fiscalCode === 'string' && fiscalCode !== '' && !isNcm(fiscalCode)) {
    warnings.push(fieldReason('NCM_INVALID', language, placeOf('fiscalCode'), { params: given(fiscalCode, language) }));
  }
  // A field that a change leaves out stays unchanged in the shop.
  const lacks = (field: string): boolean =>
    (record[field] ?? '') === '' && (mode === 'create' || Object.hasOwn(record, field));
  if (ofSku && record['unitOfMeasurement'] === 'Kg' && lacks('arithmeticFactor')) {
    warnings.push(fieldReason('FACTOR_MISSING', language, placeOf('arithmeticFactor')));
  }
  if (!ofSku && lacks('categoryExternalReference')) {
    warnings.push(fieldReason('CATEGORY_MISSING', language, placeOf('categoryExternalReference')));
  }
  return warnings;
}

function valueHint(field: string, rules: ProductRules): string | undefined {
  const words = fieldWords(rules.language);
  if (field === 'unitOfMeasurement') {
    return words.units([...UNIT_NAMES, ...Object.keys(rules.units ?? {})].join(', '));
  }
  const aliases = Object.keys(rules.commercialPolicies ?? {});
  return field === 'commercialPolicyId' && aliases.length > 0 ? words.policies(aliases.join(', ')) : undefined;
}
