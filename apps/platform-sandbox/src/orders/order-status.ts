/**
 * Changes that an order's status allows (docs/platform.md, "Order statuses" and "Transitions shown"). `patch`: a
 * PATCH sets it, from any status or only for an order that is paid and not over.
 */
interface StatusDefinition {
  readonly code: number;
  readonly patch?: 'from any' | 'while open';
  /** Not paid (`isUnpaid`), or cancelled, returned or refunded (`isOver`): few changes are still accepted. */
  readonly isUnpaid?: true;
  readonly isOver?: true;
  /** The shopper or the merchant may still cancel. */
  readonly isCancellable?: true;
}

/** Codes are not chronological: 350 comes after 400. */
const STATUSES = {
  PAYMENT_ERROR: { code: 250, isUnpaid: true },
  PAYMENT_APPROVED: { code: 300, isCancellable: true },
  ORDER_INVOICED: { code: 350, patch: 'while open', isCancellable: true },
  ORDER_BEING_PREPARED: { code: 400, patch: 'while open', isCancellable: true },
  READY_FOR_PICKUP_OR_DELIVERY: { code: 500, patch: 'from any', isCancellable: true },
  SHIPPED: { code: 600, patch: 'from any' },
  DELIVERED: { code: 700, patch: 'from any' },
  ORDER_CANCELLATION_ANALYSIS: { code: 750, isOver: true },
  ORDER_CANCELLED: { code: 800, isOver: true },
  DELIVERY_FAILED: { code: 900, patch: 'from any' },
  ORDER_RETURNED: { code: 1000, patch: 'from any', isOver: true },
  REFUND_IN_PROGRESS: { code: 1100, isOver: true },
  REFUND_COMPLETED: { code: 1200, isOver: true },
  OrderUpdated: { code: 1300 },
} as const satisfies Readonly<Record<string, StatusDefinition>>;

type StatusName = keyof typeof STATUSES;

export const ORDER_STATUSES = Object.fromEntries(
  Object.entries(STATUSES).map(([name, { code }]) => [name, code]),
) as Readonly<Record<StatusName, number>>;

export const STATUS_NAMES = Object.keys(STATUSES);

/** Names that a PATCH accepts. */
export const SETTABLE_NAMES = Object.entries<StatusDefinition>(STATUSES).flatMap(([name, { patch }]) =>
  patch ? [name] : [],
);

/** Status of an order that is placed and not paid; the document does not show its name. */
export const PLACED = 100;
/** Names and codes, for people. */
export function statusKinds() {
  return Object.entries<StatusDefinition>(STATUSES).map(([name, { code, patch }]) => ({
    code,
    name,
    isSettable: patch !== undefined,
    isNotified: isNotified(code),
  }));
}

const PLACED_DEFINITION: StatusDefinition = { code: PLACED, isUnpaid: true, isCancellable: true };

/** 1300 notifies changed items and values; an order never has it. */
export const ITEMS_CHANGED = ORDER_STATUSES.OrderUpdated;

const NOTIFICATION_THRESHOLD = 250;

export function statusCode(name: string): number | undefined {
  return Object.hasOwn(STATUSES, name) ? STATUSES[name as StatusName].code : undefined;
}

/** Name of a status, or its code as text if the document shows no name. */
export function statusName(code: number): string {
  return Object.entries(ORDER_STATUSES).find(([, value]) => value === code)?.[0] ?? String(code);
}

/** Undefined if the code is no status. */
export function statusDefinition(code: number): StatusDefinition | undefined {
  return [PLACED_DEFINITION, ...Object.values<StatusDefinition>(STATUSES)].find((status) => status.code === code);
}

/** True if the status is notified, and its order has a webhook payload. */
export function isNotified(status: number): boolean {
  return status >= NOTIFICATION_THRESHOLD;
}
