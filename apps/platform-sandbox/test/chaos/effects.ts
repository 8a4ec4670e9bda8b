import type { Evidence, OperationRow } from './evidence.ts';
import { replay } from './replay.ts';

/** How often faults that change the order of things did so: to strike is not enough. */
export function effectsIn(evidence: Evidence): Readonly<Record<'overtaken' | 'reopened', number>> {
  return { overtaken: overtakenIn(evidence.operations), reopened: replay(evidence).reopened.length };
}

/** Late operations that the core took after a newer one. */
function overtakenIn(operations: readonly OperationRow[]): number {
  let newest = 0;
  let overtaken = 0;
  for (const { seq, directive } of operations) {
    if (directive.lateMs !== undefined && seq < newest) overtaken += 1;
    newest = Math.max(newest, seq);
  }
  return overtaken;
}
