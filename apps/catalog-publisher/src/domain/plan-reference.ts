import type { Language } from '@gondola/shared/results/reason-codes';
import { decideAwaiting, missingReasons, referenceText, type Waiting } from './awaiting.ts';
import type { ReferenceKind } from './catalog-kinds.ts';
import { type RecordConclusion, invalid } from './conclusion.ts';
import { decideReference, type ReferenceSettings } from './decide-reference.ts';
import { type AssumedReferences, isAssumed } from './known-references.ts';
import type { OperationReport } from './operation-report.ts';
import type { PreparedReference } from './prepare-reference.ts';
import type { ReferenceProgress } from './reference-progress.ts';
import { NO_REFERENCE_EFFECT, type ReferenceEffect } from './stored-reference.ts';

/** The oldest open record of a brand or category, and what is known beside it. */
export interface PlannedReference {
  readonly kind: ReferenceKind;
  readonly prepared: PreparedReference;
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
  readonly pastOperationIds: readonly string[];
  readonly reports: readonly OperationReport[];
}

/** What to do in a lane. */
export type ReferencePlan =
  | { readonly kind: 'send'; readonly progress: ReferenceProgress }
  | { readonly kind: 'announce'; readonly waiting: Waiting }
  | { readonly kind: 'wait'; readonly progress: ReferenceProgress | null; readonly ms: number }
  | { readonly kind: 'catch-up'; readonly progress: ReferenceProgress; readonly untilMs: number }
  | {
      readonly kind: 'conclude';
      readonly progress: ReferenceProgress | null;
      readonly conclusion: RecordConclusion;
      readonly effect: ReferenceEffect;
      readonly sourceVersion: string | null;
    };

export interface ReferencePlanContext {
  readonly tenant: {
    readonly language: Language;
    readonly assumed: AssumedReferences;
    /** From the first `waiting` to `REFERENCE_MISSING`. */
    readonly referencesMs: number;
  };
  readonly settings: ReferenceSettings;
  /** `referenceText` of the categories that are known, of those that the record names. */
  readonly knownReferences: ReadonlySet<string>;
  readonly nowMs: number;
  readonly consumedUpToMs: number | null;
}

/** The next thing to do for a brand's or category's oldest open record. Pure. */
export function planReference(planned: PlannedReference, context: ReferencePlanContext): ReferencePlan {
  const { prepared } = planned;
  if (prepared.kind === 'concluded') return stopped(prepared.conclusion, prepared.sourceVersion);
  const { progress } = prepared;
  if (progress.sendings.length === 0) return planUnsent(planned, prepared, context);
  const { language } = context.tenant;
  const pastOperationIds = new Set(planned.pastOperationIds);
  const decision = decideReference({ ...planned, ...context, progress, pastOperationIds, language }, context.settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  return { kind: 'conclude', progress, ...decision.settled, sourceVersion: progress.sourceVersion };
}

/** Parents before their children (rule 24). */
function planUnsent(
  { waiting }: PlannedReference,
  { progress, made }: Extract<PreparedReference, { kind: 'ready' }>,
  { tenant: { language, assumed, referencesMs }, knownReferences, nowMs }: ReferencePlanContext,
): ReferencePlan {
  const missing = made.filter((each) => !knownReferences.has(referenceText(each)) && !isAssumed(assumed, each));
  const awaiting = decideAwaiting(missing, waiting, nowMs, referencesMs);
  if (awaiting.kind === 'go') return { kind: 'send', progress };
  if (awaiting.kind === 'wait') return { ...awaiting, progress: null };
  if (awaiting.kind === 'announce') return awaiting;
  return stopped(invalid(missingReasons(awaiting.missing, language), []), progress.sourceVersion);
}

/** Nothing was sent. */
function stopped(conclusion: RecordConclusion, sourceVersion: string | null): ReferencePlan {
  return { kind: 'conclude', progress: null, conclusion, effect: NO_REFERENCE_EFFECT, sourceVersion };
}
