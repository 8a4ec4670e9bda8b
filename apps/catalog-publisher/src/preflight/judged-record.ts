import type { FieldReason, Reason } from '@gondola/shared/outcomes/reason-codes';
import type { Conclusion } from '@gondola/shared/results/conclusion';
import type { AwaitedReference } from '@gondola/shared/results/result';
import { referenceText } from '../waiting/awaiting.ts';

export const PREDICTED = ['valid', 'unchanged', 'invalid', 'unreadable', 'repeated'] as const;

/**
 * Predicted outcome of a record. `valid`: it would be sent, once the references that it waits for are known.
 * `unreadable`: it would be a dead letter. `repeated`: the same record came before, so that nothing would happen.
 */
export interface JudgedRecord {
  readonly outcome: (typeof PREDICTED)[number];
  readonly errors: readonly FieldReason[];
  readonly warnings: readonly FieldReason[];
  /** References of the record that Gondola does not know. */
  readonly waitsFor: readonly AwaitedReference[];
}

/** True for a brand, category or SKU that records need not wait for. */
export type IsKnown = (reference: AwaitedReference) => boolean;

export const NOTHING = { errors: [], warnings: [], waitsFor: [] } as const;

/** A record that would be concluded without a call. */
export function judgedBy({ outcome, errors, reason }: Conclusion, warnings: readonly FieldReason[] = []): JudgedRecord {
  const all = errors.length > 0 || reason === null ? errors : [wholeReason(reason)];
  return { ...NOTHING, outcome: outcome === 'unchanged' ? 'unchanged' : 'invalid', errors: all, warnings };
}

/** A record that would be sent. */
export function judgedValid(
  named: readonly AwaitedReference[],
  isKnown: IsKnown,
  warnings: readonly FieldReason[] = [],
): JudgedRecord {
  return { ...NOTHING, outcome: 'valid', warnings, waitsFor: unknownOf(named, isKnown) };
}

/** The references that are not known, each once. */
function unknownOf(named: readonly AwaitedReference[], isKnown: IsKnown): AwaitedReference[] {
  const missing = named
    .filter((each) => !isKnown(each))
    .map(({ kind, externalReference }) => ({ kind, externalReference }));
  return [...new Map(missing.map((each) => [referenceText(each), each])).values()];
}

function wholeReason({ field = '', ...reason }: Reason): FieldReason {
  return { field, ...reason };
}
