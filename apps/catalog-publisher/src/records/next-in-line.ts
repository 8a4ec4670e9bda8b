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
  /** True if a later record removes what it asks for, and nothing of it is in the shop yet. */
  readonly isDeleted?: boolean;
}

/**
 * The plan of the first record that need not wait; if all wait, of the oldest one (rule 24). A record that is invalid
 * only because those before it are not applied waits behind them, and so does a part of what they create. Records that
 * a later one removes before they reach the shop end first.
 *
 * @param line oldest first, not empty
 */
export function nextInLine<S, P, F, R extends Planned<S, P, F>>(
  line: readonly R[],
  supersededPlan: (record: R) => RecordPlan<P, F>,
): { readonly state: R['state']; readonly plan: R['plan'] } {
  const [first] = line;
  if (first === undefined) throw new Error('A lane has a record, or is planned without one');
  const waits = ({ plan }: R) => plan?.kind === 'wait' || plan?.kind === 'announce';
  const needsAnother = (each: R): boolean => {
    const { plan, isReady, invalid, isPart = false } = each;
    const isInvalid = plan?.kind === 'conclude' && plan.end.conclusion.outcome === 'invalid';
    return each !== first && (isPart || (isInvalid && !isReady)) && invalid === null;
  };
  // From the last to the first, so that none is left behind without what it needs.
  const removed = line.findLast(({ isDeleted, invalid }) => isDeleted === true && invalid === null);
  if (removed !== undefined && waits(first)) return { state: removed.state, plan: supersededPlan(removed) };
  for (const each of line) {
    if (each.isCovered && waits(each)) return { state: each.state, plan: supersededPlan(each) };
    if (each.plan?.kind !== 'wait' && !needsAnother(each)) return { state: each.state, plan: each.plan };
  }
  const dues = line.flatMap(({ plan }) => (plan?.kind === 'wait' ? [plan.ms] : []));
  const plan = first.plan?.kind === 'wait' ? { ...first.plan, ms: Math.min(...dues) } : first.plan;
  return { state: first.state, plan };
}
