/** Order statuses (docs/platform.md, "Order statuses"). */

/** A value of one of the platform's enums. */
export interface CodeAndName {
  readonly code: number;
  /** Null for an unknown code. */
  readonly name: string | null;
}

/** Definition of a status. */
export interface OrderStatusDefinition {
  /** Name in `PATCH status`. */
  readonly name: string;
  /**
   * Position in the natural course of an order, which decides between facts with the same `updatedAt` (rule 9);
   * null if the code is no status of an order. Codes are not chronological: 350 comes after 400.
   */
  readonly rank: number | null;
  /** Event that publishes the status, unless it is a return to it; null: `OrderChanged`. */
  readonly event: string | null;
  /** True if an order with this status is created in the ERP once a 300 is known (rule 7). */
  readonly isCreated: boolean;
  /** True if no command that calls the platform is sent any more (contract, "Order commands"). */
  readonly isClosed: boolean;
  /** True if an open invoice saga ends with `refused` `ORDER_CANCELLED` (rule 15). */
  readonly endsInvoicing: boolean;
  /** True if the order is cancelled: 800, and the refunds after it. */
  readonly isCancelled: boolean;
  /** True if no work of the ERP follows: delivered, returned or cancelled. */
  readonly isEnded: boolean;
}

const OPEN = { isCreated: true, isClosed: false, endsInvoicing: false, isCancelled: false, isEnded: false } as const;
const DELIVERED = { ...OPEN, isEnded: true } as const;
const RETURNED = { ...OPEN, isCreated: false, endsInvoicing: true, isEnded: true } as const;
const CANCELLING = { ...OPEN, isCreated: false, isClosed: true, endsInvoicing: true } as const;
const CANCELLED = { ...CANCELLING, isCancelled: true, isEnded: true } as const;

/**
 * The fourteen values of `data.status`; statuses below 250 cause no notification and have no name here. 300 creates
 * the order, which `OrderApproved` publishes; 1300 reports that items and values were recalculated (rules 7 and 9).
 */
export const ORDER_STATUSES = {
  250: { name: 'PAYMENT_ERROR', rank: 0, event: null, ...OPEN },
  300: { name: 'PAYMENT_APPROVED', rank: 1, event: null, ...OPEN },
  350: { name: 'ORDER_INVOICED', rank: 3, event: 'OrderInvoiced', ...OPEN },
  400: { name: 'ORDER_BEING_PREPARED', rank: 2, event: 'PreparationStarted', ...OPEN },
  500: { name: 'READY_FOR_PICKUP_OR_DELIVERY', rank: 4, event: 'OrderReady', ...OPEN },
  600: { name: 'SHIPPED', rank: 5, event: 'OrderShipped', ...OPEN },
  700: { name: 'DELIVERED', rank: 6, event: 'OrderDelivered', ...DELIVERED },
  750: { name: 'ORDER_CANCELLATION_ANALYSIS', rank: 9, event: 'CancellationStarted', ...CANCELLING },
  800: { name: 'ORDER_CANCELLED', rank: 10, event: 'OrderCancelled', ...CANCELLED },
  900: { name: 'DELIVERY_FAILED', rank: 7, event: 'DeliveryFailed', ...OPEN },
  1000: { name: 'ORDER_RETURNED', rank: 8, event: 'OrderReturned', ...RETURNED },
  1100: { name: 'REFUND_IN_PROGRESS', rank: 11, event: 'RefundStarted', ...CANCELLED },
  1200: { name: 'REFUND_COMPLETED', rank: 12, event: 'RefundCompleted', ...CANCELLED },
  1300: { name: 'OrderUpdated', rank: null, event: 'ItemsRecalculated', ...OPEN },
} as const satisfies Readonly<Record<number, OrderStatusDefinition>>;

export type OrderStatusCode = keyof typeof ORDER_STATUSES;
export type OrderStatusName = (typeof ORDER_STATUSES)[OrderStatusCode]['name'];

/** Events that publish a status. */
export type OrderStatusEvent = NonNullable<(typeof ORDER_STATUSES)[OrderStatusCode]['event']>;

export const PAYMENT_APPROVED = 300;
export const ORDER_INVOICED = 350;
export const CANCELLATION_ANALYSIS = 750;
export const ORDER_CANCELLED = 800;
export const ORDER_DELIVERED = 700;
export const ORDER_RETURNED = 1000;
export const VALUES_RECALCULATED = 1300;

export const CLOSED_TO_COMMANDS = statusesThat(({ isClosed }) => isClosed);
export const ENDS_INVOICING = statusesThat(({ endsInvoicing }) => endsInvoicing);
export const NOT_TO_BE_CREATED = statusesThat(({ isCreated }) => !isCreated);
export const CANCELLED_STATUSES = statusesThat(({ isCancelled }) => isCancelled);
/** Statuses of orders that were ready, which require an invoice. */
export const BEYOND_INVOICE = statusesThat(
  ({ isCreated, rank }) => isCreated && (rank ?? -1) > ORDER_STATUSES[ORDER_INVOICED].rank,
);
export const ENDED_STATUSES = statusesThat(({ isEnded }) => isEnded);

/** All statuses that an order can have, in their natural order: codes are not chronological. */
export const NATURAL_ORDER: readonly number[] = Object.keys(ORDER_STATUSES)
  .map(Number)
  .filter((code) => naturalRank(code) >= 0)
  .toSorted((one, other) => naturalRank(one) - naturalRank(other));

/** The document's name of a status code; null if it has none. */
export function orderStatusName(code: number): OrderStatusName | null {
  return statusOf(code)?.name ?? null;
}

/** Status code of a name in any case; null if the document does not have the name. */
export function orderStatusCode(name: string): OrderStatusCode | null {
  const wanted = name.toUpperCase();
  const found = Object.entries(ORDER_STATUSES).find(([, known]) => known.name.toUpperCase() === wanted);
  return found === undefined ? null : (Number(found[0]) as OrderStatusCode);
}

/** A status as the ERP sees it. */
export function orderStatus(code: number): CodeAndName {
  return { code, name: orderStatusName(code) };
}

/** Event that publishes a status; null if the status has none of its own. */
export function orderStatusEvent(code: number): OrderStatusEvent | null {
  return statusOf(code)?.event ?? null;
}

/** Position in the natural course; -1 for 1300 and unknown codes, which therefore win no tie. */
export function naturalRank(code: number): number {
  return statusOf(code)?.rank ?? -1;
}

/** Statuses from which a delivery is tried again, which is no return. */
const DELIVERY_FAILED = 900;
const AGAIN_UNDER_WAY: ReadonlySet<number> = new Set([600, 700]);

/**
 * True if an order that had one status and now has another has gone back in its natural course: it was reopened, or a
 * cancellation was taken back. A new try after a failed delivery goes on.
 */
export function isReturn(from: number, to: number): boolean {
  const [before, after] = [naturalRank(from), naturalRank(to)];
  return after >= 0 && after < before && !(from === DELIVERY_FAILED && AGAIN_UNDER_WAY.has(to));
}

function statusOf(code: number): (typeof ORDER_STATUSES)[OrderStatusCode] | null {
  return Object.hasOwn(ORDER_STATUSES, code) ? ORDER_STATUSES[code as OrderStatusCode] : null;
}

function statusesThat(are: (status: OrderStatusDefinition) => boolean): ReadonlySet<number> {
  return new Set(Object.entries(ORDER_STATUSES).flatMap(([code, status]) => (are(status) ? [Number(code)] : [])));
}
