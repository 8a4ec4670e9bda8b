import { ERROR_AFTER, ERROR_BEFORE } from './ledger.ts';

/** The longest delay of a fault before a call is accepted. */
export const LONGEST_DELAY_MS = 400;

/** All kinds of faults, each by a seeded share; a delay exceeds the patience of a client that gives up. */
export function allFaults(seed: number): object[] {
  const changes = '^(POST|PUT|PATCH) ';
  const kinds = [
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
    { kind: 'extra-fields', share: 0.1 },
    { kind: 'webhook-corrupt', share: 0.03 },
    { kind: 'webhook-lose', share: 0.03 },
    { kind: 'webhook-double', share: 0.05 },
    { kind: 'webhook-delay', share: 0.05, ms: 300 },
    { kind: 'webhook-shuffle', share: 0.1, ms: 300 },
  ];
  return kinds.map((fault, index) => ({ ...fault, seed: seed + index }));
}
