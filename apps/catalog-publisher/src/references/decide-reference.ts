import { isLost } from '@gondola/shared/commands/attempts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { judgeReports, type OperationReport } from '../notifications/operation-report.ts';
import { NO_REFERENCE_EFFECT, type ReferenceEffect, type ReferenceProgress } from './stored-reference.ts';
import {
  concludePlan,
  type Decision,
  planAwaiting,
  type PlanContext,
  type PublishSettings,
  type RecordPlan,
  type RecordSituation,
} from '../records/record-plan.ts';
import { judgeSilence } from '../records/silence.ts';
import {
  isGone,
  concludeEntered,
  concludeFailed,
  concludeUnconfirmed,
  type ConcludedReference,
} from './conclude-reference.ts';
import type { FieldReason } from '@gondola/shared/outcomes/reason-codes';
import { type Conclusion, invalid } from '@gondola/shared/results/conclusion';
import type { Waiting } from '../waiting/awaiting.ts';
import type { PreparedReference } from './prepare-reference.ts';

export type ReferenceDecision = Decision<{ readonly concluded: ConcludedReference }>;

export interface ReferenceSituation extends RecordSituation {
  readonly kind: ReferenceKind;
  readonly progress: ReferenceProgress;
  readonly reports: readonly OperationReport[];
}

/**
 * Decides the next action for one brand or category record (rules 5, 16, 24). Neither can be read back, and the
 * platform does not document a success event.
 *
 *   prepared ──▶ send ──▶ accepted ── a failure of it ──────────────────────────▶ refused      event
 *                 ▲        │          (of a tree: once it has settled; the rest entered)
 *                 │        ├───────── a notification of all of it, no error ────▶ applied      event
 *                 │        ├───────── a failure of its batch over nobody knows whom: sent again, alone in the end
 *                 │        └───────── settled, nothing said ────────────────────▶ applied      presumed
 *                 ├──── lost answer, while attempts and time are left: it is idempotent
 *                 │        else, at the deadline ───────────────────────────────▶ unconfirmed  PLATFORM_SILENT
 *                 └──── 4xx to it alone ────────────────────────────────────────▶ refused
 */
export function decideReference(situation: ReferenceSituation, settings: PublishSettings): ReferenceDecision {
  const { progress, kind, language } = situation;
  const last = progress.attempts.at(-1);
  if (last === undefined) return { kind: 'send' };
  const { failures, successes, someoneFailed } = judgeReports(situation.reports, {
    ...situation,
    externalReferences: progress.sent.map(({ externalReference }) => externalReference),
  });
  const about = { kind, language };
  if (isGone(progress, failures)) return conclude(concludeEntered(progress, 'already-in-state'));
  const isTree = progress.sent.length > 1;
  if (failures.size > 0 && !isTree)
    return conclude(unlessLost(progress, concludeFailed(progress, failures, 'event', about)));
  if (progress.sent.every(({ externalReference }) => successes.has(externalReference))) {
    return conclude(concludeEntered(progress, 'event'));
  }
  if (last.answer.kind === 'refused') {
    const error = { statusCode: last.answer.status, message: last.answer.message };
    const all = new Map(progress.sent.map(({ externalReference }) => [externalReference, error]));
    return conclude(
      isGone(progress, all)
        ? concludeEntered(progress, 'already-in-state')
        : unlessLost(progress, refusedAlone(situation, error)),
    );
  }
  const silence = judgeSilence({ ...situation, someoneFailed }, settings);
  if (silence.kind === 'again') return { kind: 'send' };
  if (silence.kind === 'settling' || silence.kind === 'lost') return { kind: 'wait', ms: silence.ms };
  if (silence.kind === 'catch-up') return silence;
  // A tree settles before its failures count: the rest of it entered.
  if (failures.size > 0) return conclude(unlessLost(progress, concludeFailed(progress, failures, 'event', about)));
  return conclude(
    silence.kind === 'presumed' ? concludeEntered(progress, 'presumed') : concludeUnconfirmed(progress, language),
  );
}

function refusedAlone(
  { progress, kind, language }: ReferenceSituation,
  error: { statusCode: number; message: string },
): ConcludedReference {
  const concluded = concludeFailed(progress, new Map([[progress.sent[0]?.externalReference ?? '', error]]), 'none', {
    kind,
    language,
  });
  return { ...concluded, effect: { ...concluded.effect, entered: [] } };
}

/** A refused record of which a call was lost may have entered by that one. */
function unlessLost({ attempts, sent }: ReferenceProgress, concluded: ConcludedReference): ConcludedReference {
  if (!attempts.some(isLost)) return concluded;
  const entered = new Set(concluded.effect.entered.map(({ externalReference }) => externalReference));
  const inDoubt = sent.map(({ externalReference }) => externalReference).filter((each) => !entered.has(each));
  return { ...concluded, effect: { ...concluded.effect, inDoubt } };
}

function conclude(concluded: ConcludedReference): ReferenceDecision {
  return { kind: 'conclude', concluded };
}

/** The oldest open record of a brand or category, with the state that its plan depends on. */
export interface PlannedReference {
  readonly kind: ReferenceKind;
  readonly prepared: PreparedReference;
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
  readonly pastOperationIds: readonly string[];
  readonly reports: readonly OperationReport[];
}

type ReferencePlan = RecordPlan<ReferenceProgress, ReferenceEffect>;

/** Plans the next action for the oldest open record of a brand or category. */
export function planReference(planned: PlannedReference, context: PlanContext): ReferencePlan {
  const { prepared } = planned;
  if (prepared.kind === 'concluded') return stopped(prepared);
  const { progress } = prepared;
  const { language, settings } = context.tenant;
  if (progress.attempts.length === 0) {
    // Parents are sent before their children (rule 24).
    const plan = planAwaiting(prepared, planned.waiting, context);
    const { sourceVersion, warnings = [] } = progress;
    return plan.kind === 'missing' ? stopped({ conclusion: invalid(plan.errors), sourceVersion, warnings }) : plan;
  }
  const otherOperations = new Set(planned.pastOperationIds);
  const decision = decideReference({ ...planned, ...context, progress, otherOperations, language }, settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { sourceVersion, warnings = [] } = progress;
  return concludePlan(progress, { ...decision.concluded, sourceVersion, warnings, anomaly: false });
}

/** Concludes a record of which nothing was sent. */
function stopped(end: {
  readonly conclusion: Conclusion;
  readonly sourceVersion: string | null;
  readonly warnings: readonly FieldReason[];
}): ReferencePlan {
  return concludePlan<ReferenceProgress, ReferenceEffect>(null, {
    ...end,
    effect: NO_REFERENCE_EFFECT,
    anomaly: false,
  });
}
