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

/** Turns a plan into a step; `ask` checks the consumer lag up to a time and returns the milliseconds until a retry. */
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
 * Step after a call: stores its answer and the next due time. Everything else follows in another
 * step: a step saves or calls, never both.
 */
export function afterCall<W extends LaneWork>(planned: PlannedStep<W, RecordProgress, unknown>): WaitingStep<W> {
  if (planned.kind === 'waits') return planned;
  const { work } = planned;
  return waits(work, work.command?.progress ?? null, 0);
}

/** The next call is made by another step. */
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

/** Lengthens a pause by up to half, so that lanes that failed together do not return together. */
export function jittered(ms: number): number {
  return ms * (1 + Math.random() / 2);
}
