import { prepareBrand } from '@gondola/shared/catalog/brand-record';
import type { CatalogOp } from '@gondola/shared/catalog/catalog-control';
import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import { prepareCategory } from '@gondola/shared/catalog/category-record';
import { categoryNodes } from '@gondola/shared/catalog/category-tree';
import { canonicalText } from '@gondola/shared/files/content-hash';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { type FieldReason, type Language, reasonText } from '@gondola/shared/results/reason-codes';
import type { MadeReference } from './awaiting.ts';
import type { ReferenceKind } from './catalog-kinds.ts';
import { type RecordConclusion, invalid, invalidWhole, unchanged } from './conclusion.ts';
import { contentOf } from './record-content.ts';
import type { ReferenceProgress } from './reference-progress.ts';
import type { SentReference, StoredReference } from './stored-reference.ts';
import { isStale } from './source-version.ts';

export interface ReferenceRecord {
  readonly kind: ReferenceKind;
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  readonly externalReference: string;
}

/** What is known around a brand or category. */
export interface ReferenceSurroundings {
  /** The brand, or the categories of the record's tree, as they are known. */
  readonly stored: ReadonlyMap<string, StoredReference>;
  /** Parent of every category on the way up that is known or on its way; null at the root. */
  readonly parents: ReadonlyMap<string, string | null>;
  readonly sourceVersion: string | null;
  /** Products name the brand. */
  readonly inUse: boolean;
  readonly allowedExtraKeys: readonly string[];
  readonly language: Language;
}

export type PreparedReference =
  | { readonly kind: 'ready'; readonly progress: ReferenceProgress; readonly made: readonly MadeReference[] }
  | { readonly kind: 'concluded'; readonly conclusion: RecordConclusion; readonly sourceVersion: string | null };

/** What an `op` sets (rule 29): a category is taken off the menu, never deleted. */
const SHOWN: Readonly<Partial<Record<CatalogOp, boolean>>> = { activate: true, deactivate: false, delete: false };

/** Checks a brand or category record and makes it whole (rules 20, 21, 24, 28, 29). */
export function prepareReference(record: ReferenceRecord, around: ReferenceSurroundings): PreparedReference {
  const { language } = around;
  const { op, sourceVersion, force, content, errors } = readCatalogRecord(contentOf(record), language);
  const version = sourceVersion === null ? null : String(sourceVersion);
  const concluded = (conclusion: RecordConclusion): PreparedReference => ({
    kind: 'concluded',
    conclusion,
    sourceVersion: version,
  });
  if (errors.length > 0) return concluded(invalid(errors, []));
  if (isStale(sourceVersion, around.sourceVersion)) {
    const params = { given: version ?? '', latest: around.sourceVersion ?? '' };
    const conclusion = invalidWhole('STALE_VERSION', language, [], { field: 'sourceVersion', params });
    return { kind: 'concluded', conclusion, sourceVersion: null };
  }
  const stored = around.stored.get(record.externalReference);
  const whole = wholeOf(record, op, content, around);
  if (whole.kind === 'invalid') return concluded(invalid(whole.errors, []));
  const { body, sent, route } = whole;
  if (route === 'delete') {
    if (!force && stored !== undefined && isRemoved(stored)) return concluded(unchanged([]));
    if (!force && around.inUse) {
      return concluded(invalidWhole('REFERENCE_IN_USE', language, [], { field: 'externalReference' }));
    }
  } else if (!force && sent.every((each) => isAsStored(each, around.stored))) return concluded(unchanged([]));
  const progress = { route, body, sent, sourceVersion: version, sendings: [], blocked: null };
  return { kind: 'ready', progress, made: route === 'delete' ? [] : parentOf(sent) };
}

/** The categories whose rows a record has to do with: those of its tree, and the parent that it names. */
export function mentionedCategories(record: Pick<ReferenceRecord, 'value' | 'externalReference'>): string[] {
  const content = contentOf(record);
  const parent = content['parentExternalReference'];
  const references = categoryNodes(content).flatMap(({ reference }) => (reference === null ? [] : [reference]));
  return [record.externalReference, ...references, ...(typeof parent === 'string' ? [parent] : [])];
}

type Whole =
  | (Pick<ReferenceProgress, 'body' | 'sent' | 'route'> & { readonly kind: 'whole' })
  | { readonly kind: 'invalid'; readonly errors: readonly FieldReason[] };

function wholeOf(
  { kind, externalReference }: ReferenceRecord,
  op: CatalogOp,
  content: JsonRecord,
  around: ReferenceSurroundings,
): Whole {
  const { language, allowedExtraKeys } = around;
  const rules = { language, allowedExtraKeys };
  const stored = around.stored.get(externalReference)?.record ?? null;
  if (kind === 'brand') {
    if (op === 'delete') {
      const sent = [{ externalReference, parent: null, record: {} }];
      return { kind: 'whole', route: 'delete', body: { externalReference }, sent };
    }
    // A brand has nothing that takes it off the menu.
    if (op !== 'upsert') return told('COMMAND_UNKNOWN', 'op', language);
    const { body, errors } = prepareBrand(content, stored, rules);
    const sent = [{ externalReference, parent: null, record: body }];
    return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'whole', route: 'post', body, sent };
  }
  const shown = SHOWN[op];
  // Whole it goes, or not at all: of a category that is not known, its name and place would be lost.
  if (shown !== undefined && stored === null && content['name'] === undefined) {
    return told('REFERENCE_MISSING', 'externalReference', language);
  }
  const wanted = shown === undefined ? content : { ...content, showInStoreFront: shown };
  const known = new Map(
    [...around.stored].flatMap(([reference, { record }]) => (record === null ? [] : [[reference, record]])),
  );
  const { body, nodes, errors } = prepareCategory(wanted, { ...rules, known, parents: around.parents });
  return errors.length > 0 ? { kind: 'invalid', errors } : { kind: 'whole', route: 'post', body, sent: nodes };
}

function told(code: 'COMMAND_UNKNOWN' | 'REFERENCE_MISSING', field: string, language: Language): Whole {
  return { kind: 'invalid', errors: [{ field, code, message: reasonText(code, language) }] };
}

/** It was removed by us; a row that was only made to be held says nothing. */
function isRemoved({ exists, inDoubt, revision }: StoredReference): boolean {
  return !exists && !inDoubt && revision !== '0';
}

function isAsStored(
  { externalReference, parent, record }: SentReference,
  all: ReadonlyMap<string, StoredReference>,
): boolean {
  const stored = all.get(externalReference);
  if (stored === undefined || stored.record === null || !stored.exists || stored.inDoubt) return false;
  return stored.parent === parent && canonicalText(stored.record) === canonicalText(record);
}

/** The parent of the outermost category; those of the others are in the tree. */
function parentOf(sent: readonly SentReference[]): MadeReference[] {
  const parent = sent[0]?.parent ?? null;
  return parent === null ? [] : [{ kind: 'category', externalReference: parent, field: 'parentExternalReference' }];
}
