import type { WireProfile } from '@gondola/platform-client/wire-profile';
import { blanksWarning } from '@gondola/shared/fields/blanks-warning';
import { type JsonRecord, parseRecord } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, type Reason } from '@gondola/shared/outcomes/reason-codes';
import type { AwaitedReference } from '@gondola/shared/results/result';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import { isValueKind, type ValueKind, VALUES } from '@gondola/shared/topics/values';
import type { KnownProduct } from '../product-state/known-product.ts';
import type { CatalogKind, ReferenceKind } from '../records/catalog-kinds.ts';
import { placeNamesOf } from '../records/place-names.ts';
import { readRecordIdentity } from '../records/read-record.ts';
import type { TenantCatalog } from '../records/record-plan.ts';
import { prepareProduct } from '../products/prepare-product.ts';
import { prepareReference } from '../references/prepare-reference.ts';
import type { ReferenceSurroundings } from '../references/reference-rules.ts';
import { immutableReasons, type KnownSkus } from '../product-state/known-sku.ts';
import { prepareValue } from '../values/prepare-value.ts';
import { referenceText } from '../waiting/awaiting.ts';

/** Predicted outcome of a record; `valid` if it would be sent, once the references that it waits for are known. */
export interface JudgedRecord {
  readonly outcome: 'valid' | 'unchanged' | 'invalid' | 'unreadable';
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
  /** References of the record that Gondola does not know. */
  readonly waitsFor: readonly AwaitedReference[];
}

/** Stored state that the records of a check are judged by. */
export interface Known {
  readonly catalog: TenantCatalog;
  readonly profile: WireProfile;
  readonly language: Language;
  readonly products: (externalReference: string) => KnownProduct;
  readonly skus: KnownSkus;
  /** True for a brand, category or SKU that is known or assumed to exist. */
  readonly references: (reference: AwaitedReference) => boolean;
  readonly around: Omit<ReferenceSurroundings, 'sourceVersion' | 'inUse' | 'allowedExtraKeys' | 'language'>;
  readonly inUse: ReadonlySet<string>;
}

/** A record with a readable identity. */
export interface ReadableRecord {
  readonly kind: CatalogKind;
  readonly externalReference: string;
  readonly value: Buffer;
}

const NOTHING = { errors: [], warnings: [], waitsFor: [] } as const;

/** Reads a record's identity, or judges one that would be a dead letter. */
export function readRecord(
  kind: CatalogKind,
  text: string,
  { tenant, language }: { readonly tenant: string; readonly language: Language },
): ReadableRecord | JudgedRecord {
  const value = Buffer.from(text);
  const read = readRecordIdentity(kind, { value, key: null, tenantHeader: tenant, position: 'preflight' }, [tenant]);
  if (read.kind === 'dead-letter') {
    const error = { field: '', code: read.code, message: read.reason[language] };
    return { ...NOTHING, outcome: 'unreadable', errors: [error] };
  }
  const { entity } = read.identity;
  const externalReference = entity !== null && 'externalReference' in entity ? entity.externalReference : '';
  return { kind, externalReference, value };
}

/** Predicts the outcome of a record from the stored state (rules 20, 24, 28, 29, 30). */
export function judgeRecord(record: ReadableRecord, known: Known): JudgedRecord {
  const judged = judgeContent(record, known);
  const blanks = blanksWarning(parseRecord(record.value), known.language);
  return blanks.length === 0 ? judged : { ...judged, warnings: [...blanks, ...judged.warnings] };
}

function judgeContent(record: ReadableRecord, known: Known): JudgedRecord {
  const { kind } = record;
  if (isValueKind(kind)) return judgeValue(record, kind, known);
  return kind === 'product' ? judgeProduct(record, known) : judgeReference(record, kind, known);
}

/** Assumes that an unknown product is not in the shop: it would be created. */
function judgeProduct(record: ReadableRecord, { catalog, language, products, skus, references }: Known): JudgedRecord {
  const { externalReference } = record;
  const product = products(externalReference);
  const prepared = prepareProduct({ ...record, looked: true }, product, catalog, language);
  if (prepared.kind === 'look')
    throw new Error('A product whose record was marked as looked up must not be looked up again');
  if (prepared.kind === 'concluded') return { ...concluded(prepared.conclusion), warnings: prepared.warnings };
  const { progress, content, made } = prepared;
  const errors = immutableReasons(
    { content, body: progress.body, productExternalReference: externalReference },
    skus,
    product.applied,
    language,
  );
  if (errors.length > 0) return { ...NOTHING, outcome: 'invalid', errors, warnings: progress.warnings };
  return { ...NOTHING, outcome: 'valid', warnings: progress.warnings, waitsFor: unknown(made, references) };
}

function judgeReference(record: ReadableRecord, kind: ReferenceKind, known: Known): JudgedRecord {
  const { catalog, language, around, inUse, references } = known;
  const own = { sourceVersion: null, inUse: inUse.has(record.externalReference), language };
  const prepared = prepareReference(
    { ...record, kind },
    { ...around, ...own, allowedExtraKeys: catalog.allowedExtraKeys },
  );
  if (prepared.kind === 'concluded') return concluded(prepared.conclusion);
  return { ...NOTHING, outcome: 'valid', waitsFor: unknown(prepared.made, references) };
}

function judgeValue(record: ReadableRecord, kind: ValueKind, known: Known): JudgedRecord {
  const { language, references } = known;
  // Nothing is sent: the body is of no interest.
  const filling = { kind, names: placeNamesOf(known, kind), sku: null, fill: (data: JsonRecord) => data };
  const prepared = prepareValue(record, null, language, filling);
  if (prepared.kind === 'invalid') return concluded(prepared.conclusion);
  const { externalReference } = record;
  const sku = VALUES[kind].isOfSku ? ([{ kind: 'sku', externalReference }] as const) : [];
  return { ...NOTHING, outcome: 'valid', waitsFor: unknown(sku, references) };
}

function concluded({ outcome, errors, reason }: Conclusion): JudgedRecord {
  const all = errors.length > 0 || reason === null ? errors : [wholeReason(reason)];
  return { ...NOTHING, outcome: outcome === 'unchanged' ? 'unchanged' : 'invalid', errors: all };
}

function wholeReason({ field = '', ...reason }: Reason): FieldReason {
  return { field, ...reason };
}

function unknown(
  named: readonly AwaitedReference[],
  isKnown: (reference: AwaitedReference) => boolean,
): AwaitedReference[] {
  const missing = named
    .filter((each) => !isKnown(each))
    .map(({ kind, externalReference }) => ({ kind, externalReference }));
  return [...new Map(missing.map((each) => [referenceText(each), each])).values()];
}
