import type { CatalogOp } from '@gondola/shared/catalog/catalog-control.dto';
import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import { translateProductNames, translateSkuNames } from '@gondola/shared/catalog/name-translation';
import { fieldReason, given } from '@gondola/shared/fields/field-reasons';
import { isPlainRecord, type JsonRecord, type JsonValue } from '@gondola/shared/json/json-digits';
import {
  type PreparedProduct,
  type ProductContext,
  prepareProduct as prepareContent,
} from '@gondola/shared/catalog/product-record';
import type { FieldReason, Language } from '@gondola/shared/outcomes/reason-codes';
import { clearedFields, covers, skuReferences } from '../product-state/applied-product.ts';
import { laidOver } from '../waiting/overtaking.ts';
import type { MadeReference } from '../waiting/awaiting.ts';
import { type RecordConclusion, invalid, invalidWhole, unchanged } from './conclude-product.ts';
import { type KnownProduct, knownValues, mayBeDeleted } from '../product-state/known-product.ts';
import { referencesOf } from '../waiting/known-references.ts';
import type { ProductProgress } from './product-progress.ts';
import { contentOf, isStale } from '../records/read-record.ts';
import type { TenantCatalog } from '../records/record-plan.ts';

export interface ProductRecord {
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  readonly externalReference: string;
  /** True if the shop was read for the product since the record became the oldest open one. */
  readonly looked: boolean;
  /** Values that later records have set while this one waited, and a later reference in place of an unknown one. */
  readonly over?: JsonRecord | null;
  /** True if the record waited already: its version was compared when it came. */
  readonly waited?: boolean;
}

/** A record before its first attempt. */
export type Prepared =
  | {
      readonly kind: 'ready';
      readonly progress: ProductProgress;
      /** Brand and category of the record. */
      readonly made: readonly MadeReference[];
      /** As the ERP wrote it. */
      readonly content: JsonRecord;
    }
  | {
      readonly kind: 'concluded';
      readonly conclusion: RecordConclusion;
      readonly sourceVersion: string | null;
      readonly warnings: readonly FieldReason[];
    }
  /** The shop is read first: the record lacks fields that only a new product or SKU requires. */
  | { readonly kind: 'look' };

/** Value of `active` for each `op` (rule 29): a product is deactivated, never deleted. */
const ACTIVE: Readonly<Partial<Record<CatalogOp, boolean>>> = { activate: true, deactivate: false, delete: false };

/**
 * Checks and translates a product record (rules 20 to 23, 28, 29). The platform checks nothing before it answers, so
 * all mistakes are found here.
 */
export function prepareProduct(
  record: ProductRecord,
  known: KnownProduct,
  catalog: TenantCatalog,
  language: Language,
): Prepared {
  return prepareWhole(contentOf(record), record, known, catalog, language);
}

function prepareWhole(
  whole: JsonRecord,
  record: Omit<ProductRecord, 'value'>,
  known: KnownProduct,
  catalog: TenantCatalog,
  language: Language,
): Prepared {
  const { op, sourceVersion, force, content, errors } = readCatalogRecord(whole, language);
  const version = sourceVersion === null ? null : String(sourceVersion);
  const references = skuReferences(content);
  const concluded = (conclusion: RecordConclusion, warnings: readonly FieldReason[] = []): Prepared => ({
    kind: 'concluded',
    conclusion,
    sourceVersion: version,
    warnings,
  });
  if (errors.length > 0) return concluded(invalid(errors, references));
  if (record.waited !== true && isStale(sourceVersion, known.sourceVersion)) {
    const params = { given: version ?? '', latest: known.sourceVersion ?? '' };
    const conclusion = invalidWhole('STALE_VERSION', language, references, { field: 'sourceVersion', params });
    return { kind: 'concluded', conclusion, sourceVersion: null, warnings: [] };
  }
  const active = ACTIVE[op];
  const asked = overlaid(withOp(content, op), record.over ?? null);
  const isSilent = op === 'upsert' && !Object.hasOwn(asked, 'active');
  const isBack = isSilent && mayBeDeleted(known) && isWhole(asked, known, { ...catalog, language });
  const wanted = isBack ? { ...asked, active: true } : asked;
  const mayCreate = () => op !== 'delete' && isWhole(asked, known, { ...catalog, language });
  if (!known.exists && op !== 'upsert' && !mayCreate()) {
    if (!record.looked) return { kind: 'look' };
    const params = given(record.externalReference, language);
    const missing = invalidWhole('REFERENCE_MISSING', language, references, { field: 'externalReference', params });
    return concluded(active === false ? unchanged(references) : missing);
  }
  const shop = { product: known.exists, skus: new Set(known.skus), values: knownValues(known) };
  const context = { ...catalog, language, known: shop };
  const prepared = prepareContent(wanted, context);
  if (!record.looked && (prepared.isFilled || isLacking(prepared))) return { kind: 'look' };
  const { body } = prepared;
  if (prepared.errors.length > 0) return concluded(invalid(prepared.errors, references), prepared.warnings);
  const isHidden = isSilent && known.exists && knownValues(known)['active'] === false;
  const shown = isBack ? 'BROUGHT_BACK' : isHidden ? 'STAYS_HIDDEN' : null;
  const warnings = [
    ...prepared.warnings,
    ...(shown === null ? [] : [fieldReason(shown, language, { field: 'active' })]),
  ];
  // A value that was applied says nothing about a product that the shop no longer has.
  if (!force && known.exists && covers(known.applied, body)) return concluded(unchanged(references), warnings);
  return {
    kind: 'ready',
    progress: {
      body,
      warnings: [...warnings, ...aboutCleared(known, body, language)],
      sourceVersion: version,
      attempts: [],
      read: null,
      blocked: null,
    },
    made: referencesOf(body, known.applied.product),
    content: (record.over ?? null) === null ? content : wanted,
  };
}

function overlaid(content: JsonRecord, over: JsonRecord | null): JsonRecord {
  return over === null ? content : laidOver(translatedProduct(content), over);
}

/** Content of a record in the names of the input table, with its `op` as a value of `active`. */
export function productContent(
  record: Pick<ProductRecord, 'value' | 'externalReference'>,
  language: Language,
): JsonRecord {
  const { op, content } = readCatalogRecord(contentOf(record), language);
  return translatedProduct(withOp(content, op));
}

function translatedProduct(content: JsonRecord): JsonRecord {
  const { record } = translateProductNames(content);
  const { skus } = record;
  if (!Array.isArray(skus)) return record;
  return { ...record, skus: skus.map((sku: JsonValue) => (isPlainRecord(sku) ? translateSkuNames(sku).record : sku)) };
}

/** True for a record that would create the product: a deleted one comes back with it (rule 29). */
function isWhole(content: JsonRecord, { skus }: KnownProduct, context: Omit<ProductContext, 'known'>): boolean {
  return !isLacking(prepareContent(content, { ...context, known: { product: false, skus: new Set(skus) } }));
}

/** One warning for all fields that are emptied: serialisers write null for what an ERP has not set. */
function aboutCleared(known: KnownProduct, body: JsonRecord, language: Language): FieldReason[] {
  const fields = clearedFields({ ...known.applied, product: knownValues(known) }, body);
  return fields.length === 0 ? [] : [fieldReason('FIELDS_CLEARED', language, { field: fields.join(', ') })];
}

/** Content of a record, with its `op` as a value of `active`. */
export function withOp(content: JsonRecord, op: CatalogOp): JsonRecord {
  const active = ACTIVE[op];
  return active === undefined ? content : { ...content, active };
}

/**
 * The applied values of a product as a record that sends them again. It is made in the step that sends it, so that it
 * never reverts a later record. Adds no defaults, reads nothing, and changes no code, so that it reaches a product that
 * an earlier version created under a reference with blanks around it.
 */
export function prepareResend(
  externalReference: string,
  known: KnownProduct,
  catalog: TenantCatalog,
  language: Language,
): Prepared {
  const { product, skus } = known.applied;
  if (Object.keys(product).length === 0) {
    return { kind: 'concluded', conclusion: unchanged([]), sourceVersion: null, warnings: [] };
  }
  const sent = Object.values(skus).filter((sku) => Object.keys(sku).length > 0);
  const content = { ...product, ...(sent.length > 0 && { skus: sent }), externalReference, force: true };
  // It brings nothing back: in doubt whether a deletion entered, no applied value says that the product is active.
  const kept = { ...known, deleted: false, returning: false };
  return prepareWhole(content, { externalReference, looked: true }, kept, catalog, language);
}

/** True if the record lacks a required field that the shop may have. */
function isLacking({ errors }: PreparedProduct): boolean {
  return errors.some(({ code }) => code === 'FIELD_REQUIRED');
}
