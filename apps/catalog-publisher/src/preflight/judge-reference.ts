import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { prepareReference } from '../references/prepare-reference.ts';
import type { ReferenceSurroundings } from '../references/reference-rules.ts';
import { referenceText } from '../waiting/awaiting.ts';
import type { Judge } from './judge-records.ts';
import { type IsKnown, judgedBy, judgedValid } from './judged-record.ts';

/** Stored state that brands or categories are judged by. */
export interface KnownReferences extends Pick<ReferenceSurroundings, 'stored' | 'parents' | 'allowedExtraKeys'> {
  readonly kind: ReferenceKind;
  readonly language: Language;
  /** References of products. */
  readonly inUse: ReadonlySet<string>;
  /** The highest `sourceVersion` received, by reference. */
  readonly sourceVersions: ReadonlyMap<string, string | null>;
  readonly isKnown: IsKnown;
}

const NEW = { exists: true, inDoubt: false, revision: '1' } as const;

/** Judges brands or categories as their lanes would. */
export function referenceJudge({ kind, inUse, ...known }: KnownReferences): Judge {
  const stored = new Map(known.stored);
  const parents = new Map(known.parents);
  const sourceVersions = new Map(known.sourceVersions);
  const entered = new Set<string>();
  const isKnown: IsKnown = (each) => entered.has(referenceText(each)) || known.isKnown(each);

  return (record) => {
    const { externalReference } = record;
    const latest = sourceVersions.get(externalReference) ?? null;
    const own = { stored, parents, sourceVersion: latest, inUse: inUse.has(externalReference) };
    const prepared = prepareReference({ ...record, kind }, { ...known, ...own });
    const { sourceVersion } = prepared.kind === 'ready' ? prepared.progress : prepared;
    sourceVersions.set(externalReference, sourceVersion ?? latest);
    if (prepared.kind === 'concluded') return judgedBy(prepared.conclusion, prepared.warnings);
    const { route, sent, warnings } = prepared.progress;
    const judged = judgedValid(prepared.made, isKnown, warnings);
    for (const each of sent) {
      const removed = { ...each, ...NEW, record: null, exists: false };
      stored.set(each.externalReference, route === 'delete' ? removed : { ...each, ...NEW });
      parents.set(each.externalReference, each.parent);
      // The children of one that waits wait as well.
      if (judged.waitsFor.length === 0) entered.add(referenceText({ ...each, kind }));
    }
    return judged;
  };
}
