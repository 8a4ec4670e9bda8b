import type { CallContext } from '@gondola/platform-client/answers';
import type { ShownInvoice } from '@gondola/platform-client/read-answers';
import type { Moment } from '@gondola/shared/time';
import type { Digits } from '@gondola/shared/json/json-digits';
import type { PickingItem } from '@gondola/shared/orders/picking-items';

/** Calls to the platform, and what its answers to reads show. */

/** An order at the platform of its tenant. */
export interface OrderRef {
  readonly tenant: string;
  readonly orderNumber: string;
}

/** A changing call. Its kind is the step under which its attempt is stored. */
export type Change =
  /** PATCH status. */
  | { readonly kind: 'status'; readonly target: number }
  /** PUT order. */
  | { readonly kind: 'picking'; readonly finalOrderPrice: number | Digits; readonly items: readonly PickingItem[] }
  /** PUT invoiced; the body of a command is always the same text. */
  | { readonly kind: 'register'; readonly body: string }
  /** POST cancel. */
  | { readonly kind: 'cancel'; readonly reason: string };

export type AttemptStep = Change['kind'];

/** Kind of a call: a change, or a read of the order's status or payload. */
export type OrderCall = AttemptStep | 'read' | 'read-payload';

export interface CallOptions extends Pick<CallContext, 'askedBy'> {
  readonly traceparent: string;
  /** After its abort nothing may be sent. */
  readonly signal: AbortSignal;
}

/** Invoice facts in an order's payload, by the tenant's wire profile. */
export interface InvoiceFacts {
  /** Decimal text; null for none. */
  readonly price: string | null;
  /** The registered invoices that it shows. */
  readonly invoices: readonly ShownInvoice[];
  /** True if it shows the invoice's PDF, too; false proves nothing. */
  readonly attached: boolean;
}

export interface Payload extends InvoiceFacts {
  /** As received. */
  readonly bytes: Uint8Array;
  /** Null for none, and for 1300, which is none (rule 7). */
  readonly status: number | null;
  /** Its own date; null if it has none that is understood. */
  readonly updatedAt: Moment | null;
  /** By what it has inside, whatever was asked for: v1 comes from a store of its own, v2 from the core. */
  readonly version: 'v1' | 'v2';
  readonly orderId: string | null;
}

/** Answers of the platform about an order; null for one without a value. */
export interface Shown {
  readonly payload: Payload | null;
  /** By `GET status`. */
  readonly status: number | null;
}
