/** docs/platform.md, "Order statuses". Codes are not chronological: 350 comes after 400. */
export const ORDER_STATUSES = {
  PAYMENT_ERROR: 250,
  PAYMENT_APPROVED: 300,
  ORDER_INVOICED: 350,
  ORDER_BEING_PREPARED: 400,
  READY_FOR_PICKUP_OR_DELIVERY: 500,
  SHIPPED: 600,
  DELIVERED: 700,
  ORDER_CANCELLATION_ANALYSIS: 750,
  ORDER_CANCELLED: 800,
  DELIVERY_FAILED: 900,
  ORDER_RETURNED: 1000,
  REFUND_IN_PROGRESS: 1100,
  REFUND_COMPLETED: 1200,
  OrderUpdated: 1300,
} as const;

/** The status of an order that is placed and not paid; its name is not shown. */
export const PLACED = 100;

/** 1300 tells that items and values were changed; an order never has it. */
export const ITEMS_CHANGED = ORDER_STATUSES.OrderUpdated;

const NOTIFICATION_THRESHOLD = 250;

export function statusCode(name: string): number | undefined {
  const codes: Readonly<Record<string, number>> = ORDER_STATUSES;
  return Object.hasOwn(codes, name) ? codes[name] : undefined;
}

/** The name of a status, or its code as text where none is shown. */
export function statusName(code: number): string {
  const found = Object.entries(ORDER_STATUSES).find(([, value]) => value === code);
  return found ? found[0] : String(code);
}

export function isStatusCode(code: number): boolean {
  return code === PLACED || Object.values<number>(ORDER_STATUSES).includes(code);
}

/** Whether a status produces a notification, and the order a webhook payload. */
export function isNotified(status: number): boolean {
  return status >= NOTIFICATION_THRESHOLD;
}
