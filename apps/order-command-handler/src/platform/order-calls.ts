import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { Digits } from '@gondola/shared/json/json-digits';
import type { PickingItem } from '@gondola/shared/orders/picking-items';

/** What is asked of the platform, and what it answers. */

/** An order at the platform of its tenant. */
export interface OrderRef {
  readonly tenant: string;
  readonly orderNumber: string;
}

/** A call that changes something at the platform. Its kind is the step under which an attempt is stored. */
export type Change =
  /** PATCH status. */
  | { readonly kind: 'status'; readonly target: number }
  /** PUT order. */
  | { readonly kind: 'picking'; readonly finalOrderPrice: number | Digits; readonly items: readonly PickingItem[] }
  /** PUT invoiced; the same command always has the same text. */
  | { readonly kind: 'register'; readonly body: string }
  /** POST cancel. */
  | { readonly kind: 'cancel'; readonly reason: string };

export type AttemptStep = Change['kind'];

export interface CallOptions {
  readonly traceparent: string;
  /** Aborted: nothing may be sent any more. */
  readonly signal: AbortSignal;
}

/** Nothing can have reached the platform's queue; a call may go through after `retryAfterMs`. */
export interface NotSent {
  readonly kind: 'unavailable';
  readonly cause: string;
  readonly retryAfterMs: number;
}

/** The platform's answer to a change, or that there was none. */
export type ChangeAnswer = Exclude<AttemptAnswer, { kind: 'pending' }> | NotSent;

/** `null`: the platform does not know the order, or says no. */
export type StatusAnswer = { readonly kind: 'status'; readonly status: number | null } | NotSent;

/** What an order's payload says of its invoice, by the tenant's wire profile. */
export interface InvoiceFacts {
  /** Decimal text; null for none. */
  readonly price: string | null;
  readonly registered: boolean;
}

export interface Payload extends InvoiceFacts {
  /** As received. */
  readonly data: Uint8Array;
  readonly status: number | null;
  readonly orderId: string | null;
}

export type PayloadAnswer =
  | { readonly kind: 'found'; readonly payload: Payload }
  /** Unknown to the platform, or not paid. */
  | { readonly kind: 'not-found' }
  /** A no that says nothing about the order. */
  | { readonly kind: 'refused' }
  | NotSent;
