import { type Conclusion, invalid } from '@gondola/shared/results/conclusion';
import type { Waiting } from '../waiting/awaiting.ts';
import type { ReferenceKind } from '../records/catalog-kinds.ts';
import { decideReference } from './decide-reference.ts';
import type { OperationReport } from '../outcomes/operation-report.ts';
import type { PreparedReference } from './prepare-reference.ts';
import { concluded, planAwaiting, type PlanContext, type RecordPlan } from '../records/record-plan.ts';
import { NO_REFERENCE_EFFECT, type ReferenceEffect, type ReferenceProgress } from './stored-reference.ts';

/** The oldest open record of a brand or category, and what is known beside it. */
export interface PlannedReference {
  readonly kind: ReferenceKind;
  readonly prepared: PreparedReference;
  readonly waiting: Waiting | null;
  readonly deadlineInMs: number | null;
  readonly pastOperationIds: readonly string[];
  readonly reports: readonly OperationReport[];
}

type ReferencePlan = RecordPlan<ReferenceProgress, ReferenceEffect>;

/** The next thing to do for a brand's or category's oldest open record. Pure. */
export function planReference(planned: PlannedReference, context: PlanContext): ReferencePlan {
  const { prepared } = planned;
  if (prepared.kind === 'concluded') return stopped(prepared.conclusion, prepared.sourceVersion);
  const { progress } = prepared;
  const { language, settings } = context.tenant;
  if (progress.sendings.length === 0) {
    // Parents before their children (rule 24).
    const plan = planAwaiting(prepared, planned.waiting, context);
    return plan.kind === 'missing' ? stopped(invalid(plan.errors), progress.sourceVersion) : plan;
  }
  const pastOperationIds = new Set(planned.pastOperationIds);
  const decision = decideReference({ ...planned, ...context, progress, pastOperationIds, language }, settings);
  if (decision.kind !== 'conclude') return { ...decision, progress };
  const { sourceVersion } = progress;
  return concluded(progress, { ...decision.settled, sourceVersion, warnings: [], anomaly: false });
}

/** Nothing was sent. */
function stopped(conclusion: Conclusion, sourceVersion: string | null): ReferencePlan {
  return concluded<ReferenceProgress, ReferenceEffect>(null, {
    conclusion,
    effect: NO_REFERENCE_EFFECT,
    sourceVersion,
    warnings: [],
    anomaly: false,
  });
}
