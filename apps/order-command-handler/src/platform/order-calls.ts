import type { AttemptAnswer } from '@gondola/shared/commands/attempts';
import type { JsonRecord } from '@gondola/shared/json/json-digits';
import type { Change } from './change.ts';

/** What the use cases need of the platform, for one tenant. `outbound/platform.adapter` has the calls. */

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

export interface OrderPlatform {
  change(orderNumber: string, change: Change, options: CallOptions): Promise<ChangeAnswer>;
  readStatus(orderNumber: string, options: CallOptions): Promise<StatusAnswer>;
  readPayload(orderNumber: string, options: CallOptions): Promise<PayloadAnswer>;
  /** What a payload, also that of a notification, says of its invoice. */
  invoiceFactsOf(payload: JsonRecord): InvoiceFacts;
  /** Milliseconds for which the tenant is paused; 0 when a call may be tried. */
  pausedForMs(): number;
}
