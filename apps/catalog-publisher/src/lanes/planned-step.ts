import type { RecordProgress } from '../records/record-attempts.ts';
import type { RecordEnd, RecordPlan } from '../records/record-plan.ts';
import { storedText } from '../records/stored-text.ts';
import { announces, type CatalogLane, ends, type Planned, type Sending, waits } from './catalog-flow.ts';

/** A lane whose record ends with an effect `F` on its entity. */
interface EndingLane<P extends RecordProgress, F> extends CatalogLane {
  readonly progress: P | null;
  readonly end: RecordEnd<P, F> | null;
}

/** The next action of a lane by its record's plan; `ask` checks the consumer lag up to a time and returns the pause. */
export function plannedStep<P extends RecordProgress, F, S extends EndingLane<P, F>>(
  state: S,
  plan: RecordPlan<P, F>,
  ask: (untilMs: number) => number,
): Planned<S> {
  if (plan.kind === 'conclude') {
    const { conclusion, operationIds, warnings, anomaly } = plan.end;
    const outcome = { kind: 'concluded', conclusion: { ...conclusion, warnings }, operationIds } as const;
    return { ...ends<S>({ ...state, end: plan.end }, outcome, 0), isAnomaly: anomaly };
  }
  if (plan.kind === 'announce') return announces(state, plan.waiting);
  if (plan.kind === 'send') return { kind: 'send', state: { ...state, progress: plan.progress } as Sending<S> };
  if (plan.kind === 'read') return { kind: 'read', state, before: null, final: plan.final };
  const text = plan.progress === null ? null : storedText(plan.progress);
  return waits(state, text, plan.kind === 'wait' ? plan.ms : ask(plan.untilMs));
}
