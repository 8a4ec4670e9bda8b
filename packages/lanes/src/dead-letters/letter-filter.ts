import type { BulkFilter } from '../jobs/bulk-target.ts';
import type { LetterState } from './dead-letters.dto.ts';

export interface LetterFilter extends BulkFilter {
  readonly state?: LetterState;
}

/** Conditions as in the indices of `dead_letters`. */
const CONDITIONS = {
  tenant: "coalesce(tenant, '') =",
  reason: 'reason_code =',
  topic: 'topic =',
  from: 'dead_at >=',
  to: 'dead_at <',
  state: 'state =',
} as const satisfies Record<keyof LetterFilter, string>;

/** SQL condition of a filter; its parameters follow `values`, to which they are added. */
export function conditionOf(filter: LetterFilter, values: unknown[]): string {
  const named = Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filter[name as keyof LetterFilter];
    return value === undefined ? [] : [`${condition} $${values.push(value)}`];
  });
  return named.length === 0 ? 'true' : named.join(' AND ');
}
