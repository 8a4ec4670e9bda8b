import { readCatalogRecord } from '@gondola/shared/catalog/catalog-record';
import { canonicalText } from '@gondola/shared/files/content-hash';
import { type Conclusion, invalid, invalidWhole, unchanged } from '@gondola/shared/results/conclusion';
import { given } from '@gondola/shared/fields/field-reasons';
import { type FieldReason, reasonOf } from '@gondola/shared/outcomes/reason-codes';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import { laidOver } from '../waiting/overtaking.ts';
import type { MadeReference } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { contentOf, isStale } from '../records/read-record.ts';
import type { ReferenceProgress, SentReference, StoredReference } from './stored-reference.ts';
import { REFERENCE_RULES, type ReferenceSurroundings } from './reference-rules.ts';

export interface ReferenceRecord {
  readonly kind: ReferenceKind;
  /** The record's value; null in a tombstone. */
  readonly value: Uint8Array | null;
  readonly externalReference: string;
  /** Values that later records have set while this one waited, and a later parent in place of an unknown one. */
  readonly over?: JsonRecord | null;
  /** True if the record waited already: its version was compared when it came. */
  readonly waited?: boolean;
}

export type PreparedReference =
  | { readonly kind: 'ready'; readonly progress: ReferenceProgress; readonly made: readonly MadeReference[] }
  | {
      readonly kind: 'concluded';
      readonly conclusion: Conclusion;
      readonly sourceVersion: string | null;
      readonly warnings: readonly FieldReason[];
    };

/** Checks a brand or category record and makes it whole (rules 20, 21, 24, 28, 29). */
export function prepareReference(record: ReferenceRecord, around: ReferenceSurroundings): PreparedReference {
  const { language } = around;
  const { externalReference } = record;
  const { op, sourceVersion, force, content: own, errors } = readCatalogRecord(contentOf(record), language);
  const content = (record.over ?? null) === null ? own : laidOver(own, record.over!);
  const version = sourceVersion === null ? null : String(sourceVersion);
  const concluded = (conclusion: Conclusion, warnings: readonly FieldReason[] = []): PreparedReference => ({
    kind: 'concluded',
    conclusion,
    sourceVersion: version,
    warnings,
  });
  if (errors.length > 0) return concluded(invalid(errors));
  if (record.waited !== true && isStale(sourceVersion, around.sourceVersion)) {
    const params = { given: version ?? '', latest: around.sourceVersion ?? '' };
    const conclusion = invalidWhole(reasonOf('STALE_VERSION', language, { field: 'sourceVersion', params }));
    return { kind: 'concluded', conclusion, sourceVersion: null, warnings: [] };
  }
  const stored = around.stored.get(externalReference);
  const whole = REFERENCE_RULES[record.kind].whole({ externalReference, op, content }, around);
  if (whole.kind === 'invalid') return concluded(invalid(whole.errors));
  const { body, sent, route, warnings = [] } = whole;
  if (route === 'delete') {
    if (!force && stored !== undefined && isRemoved(stored)) return concluded(unchanged());
    if (!force && around.inUse) {
      const about = { field: 'externalReference', params: given(externalReference, language) };
      return concluded(invalidWhole(reasonOf('REFERENCE_IN_USE', language, about)));
    }
  } else if (!force && sent.every((each) => isAsStored(each, around.stored))) return concluded(unchanged(), warnings);
  const forced = route === 'delete' && force ? ({ isForced: true } as const) : {};
  const warned = warnings.length === 0 ? {} : { warnings };
  const progress = { route, body, sent, sourceVersion: version, attempts: [], blocked: null, ...forced, ...warned };
  return { kind: 'ready', progress, made: route === 'delete' ? [] : parentOf(sent) };
}

/** References whose rows the record reads or changes. */
export function mentionedReferences(record: ReferenceRecord): string[] {
  return REFERENCE_RULES[record.kind].mentioned(contentOf(record), record.externalReference);
}

/** True if Gondola removed it; a row that only exists to be held proves nothing. */
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

/** Parent of the outermost category; the parents of the others are in the tree. */
function parentOf(sent: readonly SentReference[]): MadeReference[] {
  const parent = sent[0]?.parent ?? null;
  return parent === null ? [] : [{ kind: 'category', externalReference: parent, field: 'parentExternalReference' }];
}
