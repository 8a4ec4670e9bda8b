import { progressToText, type RecordProgress } from '../records/record-attempts.ts';
import type { RecordPlan } from '../records/record-plan.ts';
import type { LaneWork, Open, PlannedStep, RecordStep, WaitingStep } from './catalog-family.service.ts';

export function waits<W extends LaneWork>(
  work: W,
  progress: string | null,
  ms: number,
  takenBack = false,
): WaitingStep<W> {
  return { kind: 'waits', work, progress, ms, takenBack };
}

/** A plan as a step; `ask` has topics looked at up to a time, and says in how many milliseconds to come again. */
export function plannedStep<W extends LaneWork, P extends RecordProgress, F>(
  work: Open<W>,
  plan: RecordPlan<P, F>,
  ask: (untilMs: number) => number,
): PlannedStep<W, P, F> {
  if (plan.kind === 'conclude') return { kind: 'concluded', work, end: plan.end };
  if (plan.kind === 'announce') return { kind: 'announces', work, waiting: plan.waiting };
  if (plan.kind === 'send' || plan.kind === 'read') return { ...plan, work };
  const text = plan.progress === null ? null : progressToText(plan.progress);
  return waits(work, text, plan.kind === 'wait' ? plan.ms : ask(plan.untilMs));
}

/**
 * After a call what it gave is stored, and until when the record waits; whatever else follows from it is another
 * step's: a step saves or calls, never both.
 */
export function afterCall<W extends LaneWork>(planned: PlannedStep<W, RecordProgress, unknown>): WaitingStep<W> {
  if (planned.kind === 'waits') return planned;
  const { work } = planned;
  return waits(work, work.command?.progress ?? null, 0);
}

/** What would be called next is called by another step. */
export function later<W extends LaneWork, P extends RecordProgress, F>(
  planned: PlannedStep<W, P, F>,
): RecordStep<W, P, F> {
  if (planned.kind !== 'send' && planned.kind !== 'read') return planned;
  const { work, progress } = planned;
  return waits(work, progress === null ? null : progressToText(progress), 0);
}

export function isOpen<W extends LaneWork>(work: W): work is Open<W> {
  return work.command !== null;
}

/** By up to a half longer, so that lanes that failed together do not come back together. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
