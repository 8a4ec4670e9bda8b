import type { RecordPlan } from './record-plan.ts';

/** A record that may be the next one of its lane, with its plan. */
interface Planned<S, P, F> {
  readonly state: S;
  /** Null without an open record. */
  readonly plan: RecordPlan<P, F> | null;
  /** True if nothing is wrong with the record itself. */
  readonly isReady: boolean;
  /** Set if it is invalid also once the records before it are applied. */
  readonly invalid: object | null;
  /** True if a later record that is valid has all that it has. */
  readonly isCovered: boolean;
  /** True if it is only a part of what those before it are to create. */
  readonly isPart?: boolean;
}

/**
 * The plan of the first record that need not wait; if all wait, of the oldest one (rule 24). A record that is invalid
 * only because those before it are not applied waits behind them, and so does a part of what they create.
 *
 * @param line oldest first, not empty
 */
export function nextInLine<S, P, F, R extends Planned<S, P, F>>(
  line: readonly R[],
  supersededPlan: (record: R) => RecordPlan<P, F>,
): { readonly state: R['state']; readonly plan: R['plan'] } {
  const [first] = line;
  if (first === undefined) throw new Error('A lane has a record, or is planned without one');
  for (const each of line) {
    const { plan, isReady, invalid, isCovered, isPart = false, state } = each;
    if (isCovered && (plan?.kind === 'wait' || plan?.kind === 'announce')) return { state, plan: supersededPlan(each) };
    const isInvalid = plan?.kind === 'conclude' && plan.end.conclusion.outcome === 'invalid';
    const needsAnother = each !== first && (isPart || (isInvalid && !isReady)) && invalid === null;
    if (plan?.kind !== 'wait' && !needsAnother) return { state, plan };
  }
  const dues = line.flatMap(({ plan }) => (plan?.kind === 'wait' ? [plan.ms] : []));
  const plan = first.plan?.kind === 'wait' ? { ...first.plan, ms: Math.min(...dues) } : first.plan;
  return { state: first.state, plan };
}
