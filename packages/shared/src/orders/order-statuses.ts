/** Order statuses (platform document, "Order statuses"). */

/** How every integer enum of the platform is told: its number, and its name or null when the number is unknown. */
export interface CodeAndName {
  readonly code: number;
  readonly name: string | null;
}

/** The fourteen values of `data.status`; statuses below 250 produce no notification and have no name here. */
export const ORDER_STATUSES = {
  250: 'PAYMENT_ERROR',
  300: 'PAYMENT_APPROVED',
  350: 'ORDER_INVOICED',
  400: 'ORDER_BEING_PREPARED',
  500: 'READY_FOR_PICKUP_OR_DELIVERY',
  600: 'SHIPPED',
  700: 'DELIVERED',
  750: 'ORDER_CANCELLATION_ANALYSIS',
  800: 'ORDER_CANCELLED',
  900: 'DELIVERY_FAILED',
  1000: 'ORDER_RETURNED',
  1100: 'REFUND_IN_PROGRESS',
  1200: 'REFUND_COMPLETED',
  1300: 'OrderUpdated',
} as const;

export type OrderStatusCode = keyof typeof ORDER_STATUSES;
export type OrderStatusName = (typeof ORDER_STATUSES)[OrderStatusCode];

export const PAYMENT_APPROVED = 300;
export const CANCELLATION_ANALYSIS = 750;
export const ORDER_CANCELLED = 800;

/** 1300 says that items and values were recalculated; it is no status of an order (rules 7 and 9). */
export const VALUES_RECALCULATED = 1300;

/**
 * The natural course of an order, which decides between facts of one `updatedAt` (rule 9). Codes are not chronological:
 * 350 comes after 400. 1300 is absent because it is no status.
 */
export const NATURAL_COURSE = [250, 300, 400, 350, 500, 600, 700, 900, 1000, 750, 800, 1100, 1200] as const;

/** An order in one of these is not created in the ERP, although a 300 is known (rule 7). */
export const NOT_TO_BE_CREATED: ReadonlySet<number> = new Set([750, 800, 1000, 1100, 1200]);

/** In one of these no command that calls the platform is sent any more (contract, "Order commands"). */
export const CLOSED_TO_COMMANDS: ReadonlySet<number> = new Set([750, 800, 1100, 1200]);

/** In one of these an open invoice saga ends `refused` `ORDER_CANCELLED` (rule 15). */
export const ENDS_INVOICING: ReadonlySet<number> = new Set([750, 800, 1000, 1100, 1200]);

/** The document's name of a status code; null for a code it does not name. */
export function orderStatusName(code: number): OrderStatusName | null {
  return Object.hasOwn(ORDER_STATUSES, code) ? ORDER_STATUSES[code as OrderStatusCode] : null;
}

/** The status code of a name, as `PATCH status` takes it; null for a name the document does not have. */
export function orderStatusCode(name: string): OrderStatusCode | null {
  const found = Object.entries(ORDER_STATUSES).find(([, known]) => known === name);
  return found === undefined ? null : (Number(found[0]) as OrderStatusCode);
}

/** A status as the ERP sees it. */
export function orderStatus(code: number): CodeAndName {
  return { code, name: orderStatusName(code) };
}

/** Position in the natural course; -1 for 1300 and for unknown codes, which therefore win no tie. */
export function naturalRank(code: number): number {
  return NATURAL_COURSE.indexOf(code as (typeof NATURAL_COURSE)[number]);
}
