import type { Fault } from '../../play/sandbox-client.ts';

/**
 * Values of a notification that are poisoned: those without which it cannot be read, so that it counts as lost, those
 * that say what state it tells, and those of no meaning to the books. Amounts and quantities are left out: a read of
 * the same date does not mend what such a notification said of them.
 */
const POISONED = [
  'operationId',
  'contractAccountId',
  'relatedEntity',
  'eventType',
  'data.number',
  'data.status',
  'data.updatedAt',
  'data.id',
  'data.items.0.ean',
  'data.items.0.promotionName',
  'data.user.firstName',
  'data.orderAddress',
  'data.seller.name',
  'data.acceptedOrderDetails.userPaymentData',
  'data.paymentAttempts',
  'error.statusCode',
  'error.title',
];

/**
 * All kinds of the sandbox's faults, each with a seeded share of its targets. A fault that opens the circuit breaker
 * stops all calls of the merchant for about a second, so that its share is less in a day with more orders. Unknown
 * fields are two faults, since calls and notifications would wait for each other's count of a common one. A late call
 * lands within `lateMs` after its caller has gone.
 */
export function dayFaults(seed: number, orders: number, lateMs: number): Fault[] {
  const pausing = Math.min(0.02, 1 / orders);
  const changes = '^(POST|PUT|PATCH) /v1/(Orders|Storages)';
  const calls = '/v1/(Orders|Storages)';
  const reads = '^GET /v1/Orders';
  const faults: Fault[] = [
    { kind: 'refuse', route: changes, share: 0.04, status: 422 },
    { kind: 'refuse', route: changes, share: 0.01, status: 500 },
    { kind: 'core-silent', route: changes, share: 0.02 },
    { kind: 'error-before', route: calls, share: 0.03, status: 500 },
    { kind: 'error-after', route: calls, share: 0.04, status: 500 },
    { kind: 'drop-before', route: calls, share: 0.02 },
    { kind: 'drop-after', route: calls, share: 0.04 },
    { kind: 'delay', route: calls, share: 0.04, ms: 200 },
    { kind: 'outcome-first', route: changes, share: 0.05, ms: 500 },
    { kind: 'credentials-expired', route: calls, share: pausing },
    { kind: 'too-many-requests', route: calls, share: pausing, retryAfter: 1 },
    { kind: 'extra-fields', route: calls, share: 0.1 },
    { kind: 'extra-fields', event: 'Order_.*', share: 0.1 },
    { kind: 'webhook-corrupt', event: 'Order_.*', share: 0.03 },
    { kind: 'webhook-lose', event: 'Order_.*', share: 0.05 },
    { kind: 'webhook-double', event: 'Order_.*', share: 0.1 },
    { kind: 'webhook-delay', event: 'Order_.*', share: 0.05, ms: 500 },
    { kind: 'webhook-shuffle', event: 'Order_.*', share: 0.3, ms: 300 },
    { kind: 'late', route: changes, share: 0.04, ms: lateMs },
    { kind: 'page', route: calls, share: 0.03 },
    { kind: 'lagging-reads', route: reads, share: 0.2, ms: 2_000 },
    { kind: 'reads-1300', route: reads, share: 0.3 },
    { kind: 'reopen', route: '^PATCH /v1/Orders', share: 0.05, ms: 1_000 },
    { kind: 'status-as-text', route: reads, share: 0.1 },
    { kind: 'status-as-text', event: 'Order_.*', share: 0.1 },
    { kind: 'null-lists', route: reads, share: 0.05 },
    { kind: 'null-lists', event: 'Order_.*', share: 0.05 },
    ...POISONED.map((path) => ({ kind: 'webhook-poison', event: 'Order_.*', share: 0.004, path })),
  ];
  return faults.map((fault, index) => ({ ...fault, seed: seed + index }));
}
