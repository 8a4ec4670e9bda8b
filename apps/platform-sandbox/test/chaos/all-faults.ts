import type { Fault, FaultKind } from '../../src/faults/fault.ts';
import { ERROR_AFTER, ERROR_BEFORE } from './ledger.ts';

/** The longest delay of a fault before a call is accepted. */
export const LONGEST_DELAY_MS = 400;

/**
 * Kinds that these runs cannot judge: the client takes a page and a read for the truth, and the books know a
 * notification by its content.
 */
export const LEFT_OUT: readonly FaultKind[] = ['page', 'lagging-reads', 'reads-1300', 'webhook-poison'];

/** All other kinds of faults, each by a seeded share; a delay exceeds the patience of a client that gives up. */
export function allFaults(seed: number): Fault[] {
  const changes = '^(POST|PUT|PATCH) ';
  const kinds: readonly Fault[] = [
    { kind: 'refuse', route: changes, share: 0.03, status: 422 },
    { kind: 'refuse', route: changes, share: 0.01, status: 500 },
    { kind: 'core-silent', route: changes, share: 0.02 },
    { kind: 'error-before', share: 0.03, status: ERROR_BEFORE },
    { kind: 'error-after', share: 0.03, status: ERROR_AFTER },
    { kind: 'drop-before', share: 0.02 },
    { kind: 'drop-after', share: 0.03 },
    { kind: 'delay', share: 0.04, ms: 60 },
    { kind: 'delay', share: 0.02, ms: LONGEST_DELAY_MS },
    { kind: 'outcome-first', route: changes, share: 0.03, ms: 500 },
    { kind: 'credentials-expired', share: 0.02 },
    { kind: 'too-many-requests', share: 0.015, retryAfter: 1 },
    { kind: 'late', route: changes, share: 0.02, ms: 200 },
    { kind: 'reopen', route: '^PATCH ', share: 0.05, ms: 200 },
    { kind: 'extra-fields', share: 0.1 },
    { kind: 'null-lists', share: 0.1 },
    { kind: 'status-as-text', route: '.*', share: 0.1 },
    { kind: 'status-as-text', event: 'Order_.*', share: 0.1 },
    { kind: 'webhook-corrupt', share: 0.03 },
    { kind: 'webhook-lose', share: 0.03 },
    { kind: 'webhook-double', share: 0.05 },
    { kind: 'webhook-delay', share: 0.05, ms: 300 },
    { kind: 'webhook-shuffle', share: 0.1, ms: 300 },
  ];
  return kinds.map((fault, index) => ({ ...fault, seed: seed + index }));
}
