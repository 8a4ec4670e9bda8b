import { type FieldReason, type Language, type Reason } from '@gondola/shared/results/reason-codes';
import type { AwaitedReference } from '@gondola/shared/results/result';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { KnownProduct } from '../product-state/known-product.ts';
import { type CatalogKind, isValueKind, type ReferenceKind, type ValueKind } from '../records/catalog-kinds.ts';
import { readRecordIdentity } from '../records/read-record.ts';
import { prepareProduct, type TenantCatalog } from '../products/prepare-product.ts';
import { prepareReference } from '../references/prepare-reference.ts';
import type { ReferenceSurroundings } from '../references/reference-rules.ts';
import { immutableReasons, type KnownSku } from '../skus/known-sku.ts';
import { prepareValue } from '../values/prepare-value.ts';
import { VALUE_RULES } from '../values/value-rules.ts';
import { referenceText } from '../waiting/awaiting.ts';

/** What would become of a record; `valid`: it would be sent, once what it waits for is known. */
export interface JudgedRecord {
  readonly outcome: 'valid' | 'unchanged' | 'invalid' | 'unreadable';
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
  /** What it refers to and Gondola does not know. */
  readonly waitsFor: readonly AwaitedReference[];
}

/** What is known around the records of a check. */
export interface Known {
  readonly catalog: TenantCatalog;
  readonly language: Language;
  readonly products: (externalReference: string) => KnownProduct;
  readonly skus: readonly KnownSku[];
  /** `referenceText` of brands, categories and SKUs that are known, or taken for known. */
  readonly references: (reference: AwaitedReference) => boolean;
  readonly around: Omit<ReferenceSurroundings, 'sourceVersion' | 'inUse' | 'allowedExtraKeys' | 'language'>;
  readonly inUse: ReadonlySet<string>;
}

/** The identity of a record that can be read. */
export interface ReadableRecord {
  readonly kind: CatalogKind;
  readonly externalReference: string;
  readonly value: Buffer;
}

const NOTHING = { errors: [], warnings: [], waitsFor: [] } as const;

/** A record's identity, or the judgement of one that would be a dead letter. */
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

/** What would become of a record by all that is known now (rules 20, 24, 28, 29, 30). Pure. */
export function judgeRecord(record: ReadableRecord, known: Known): JudgedRecord {
  const { kind } = record;
  if (isValueKind(kind)) return judgeValue(record, kind, known);
  return kind === 'product' ? judgeProduct(record, known) : judgeReference(record, kind, known);
}

/** As if the shop had been asked: what is not known is created. */
function judgeProduct(record: ReadableRecord, { catalog, language, products, skus, references }: Known): JudgedRecord {
  const { externalReference } = record;
  const product = products(externalReference);
  const prepared = prepareProduct({ ...record, looked: true }, product, catalog, language);
  if (prepared.kind === 'look') throw new Error('A product that was looked for is looked for');
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

function judgeValue(record: ReadableRecord, kind: ValueKind, { language, references }: Known): JudgedRecord {
  const prepared = prepareValue(record, null, language);
  if (prepared.kind === 'invalid') return concluded(prepared.conclusion);
  const { externalReference } = record;
  const sku = VALUE_RULES[kind].isOfSku ? ([{ kind: 'sku', externalReference }] as const) : [];
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
