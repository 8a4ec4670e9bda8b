import type { Language } from '@gondola/shared/outcomes/reason-codes';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { judgeReports, type OperationReport } from '../notifications/operation-report.ts';
import type { SettledRecord } from './reference-lane-state.ts';
import { NO_REFERENCE_EFFECT, type ReferenceEffect } from './stored-reference.ts';
import { type LaneOperations, otherOperations } from '../records/record-attempts.ts';
import {
  isGone,
  concludeEntered,
  concludeFailed,
  concludeUnconfirmed,
  type ConcludedReference,
} from './conclude-reference.ts';

export interface ReferenceCorrection {
  readonly record: SettledRecord;
  readonly concluded: ConcludedReference;
}

/**
 * Finds late outcomes among the reports (guarantee 3, rule 24: after `presumed` or `unconfirmed` at most one
 * `corrected`). A presumed change that was refused restores the state before it.
 */
export function findReferenceCorrections(
  kind: ReferenceKind,
  settled: readonly SettledRecord[],
  reports: readonly OperationReport[],
  { language, operations }: { readonly language: Language; readonly operations: LaneOperations },
): ReferenceCorrection[] {
  return settled.flatMap((record) => {
    const others = otherOperations(operations, record.progress);
    const found = lateOutcome(kind, record, { reports, others, language });
    return found === null ? [] : [{ record, concluded: found }];
  });
}

interface LateReports {
  readonly reports: readonly OperationReport[];
  /** Operations of the other records of the lane. */
  readonly others: ReadonlySet<string>;
  readonly language: Language;
}

function lateOutcome(
  kind: ReferenceKind,
  record: SettledRecord,
  { reports, others, language }: LateReports,
): ConcludedReference | null {
  const { progress, outcome } = record;
  const references = progress.sent.map(({ externalReference }) => externalReference);
  const reported = { progress, kind, externalReferences: references, otherOperations: others };
  const { failures, successes, someoneFailed } = judgeReports(reports, reported);
  if (isGone(progress, failures)) return outcome === 'applied' ? null : concludeEntered(progress, 'already-in-state');
  if (failures.size > 0) {
    const { conclusion } = concludeFailed(progress, failures, 'event', { kind, language });
    return { conclusion, effect: effectOfFailure(record, [...failures.keys()]) };
  }
  if (outcome === 'unconfirmed' && references.every((reference) => successes.has(reference))) {
    return concludeEntered(progress, 'event');
  }
  if (outcome !== 'applied' || !someoneFailed) return null;
  return { conclusion: concludeUnconfirmed(progress, language).conclusion, effect: doubtOf(references) };
}

function effectOfFailure({ before, outcome }: SettledRecord, failed: readonly string[]): ReferenceEffect {
  // An unconfirmed record was never presumed to be applied.
  if (outcome === 'unconfirmed') return NO_REFERENCE_EFFECT;
  const restored = before.filter(({ externalReference }) => failed.includes(externalReference));
  return { ...NO_REFERENCE_EFFECT, restored };
}

function doubtOf(inDoubt: readonly string[]): ReferenceEffect {
  return { ...NO_REFERENCE_EFFECT, inDoubt };
}

/**
 * The effects of late outcomes, one after the other, where each still is the last change; what another record, or an
 * earlier one of these effects, has changed since is in doubt. A tree and its children have lanes of their own, so that
 * either may come over the other.
 *
 * @param revisions present revisions, by external reference
 */
export function unlessChanged(
  corrections: readonly ReferenceCorrection[],
  revisions: ReadonlyMap<string, string>,
): ReferenceEffect[] {
  const current = new Map(revisions);
  return corrections.map((correction) => {
    const effect = ownEffect(correction, current);
    const set = [...effect.entered, ...effect.restored].map(({ externalReference }) => externalReference);
    for (const reference of [...set, ...effect.removed, ...effect.inDoubt]) {
      current.set(reference, revisionAfter(current.get(reference) ?? '0'));
    }
    return effect;
  });
}

function revisionAfter(revision: string): string {
  return String(BigInt(revision) + 1n);
}

function ownEffect(
  { concluded: { effect }, record: { before } }: ReferenceCorrection,
  revisions: ReadonlyMap<string, string>,
): ReferenceEffect {
  const own = new Set(
    before.flatMap(({ externalReference, revision }) =>
      revision !== undefined && revisions.get(externalReference) === revisionAfter(revision) ? [externalReference] : [],
    ),
  );
  const set = [...effect.entered, ...effect.restored].map(({ externalReference }) => externalReference);
  const changed = [...set, ...effect.removed].filter((reference) => !own.has(reference));
  return {
    entered: effect.entered.filter(({ externalReference }) => own.has(externalReference)),
    restored: effect.restored.filter(({ externalReference }) => own.has(externalReference)),
    removed: effect.removed.filter((reference) => own.has(reference)),
    inDoubt: [...effect.inDoubt, ...changed],
  };
}
