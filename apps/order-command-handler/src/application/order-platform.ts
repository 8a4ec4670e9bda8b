import type { OrderStatusName } from '@gondola/shared/order-statuses';
import type { SendingAnswer } from '../domain/command-progress.ts';

/** What the use cases need of the platform, for one tenant. `outbound/platform.adapter` has the calls. */

export interface CallOptions {
  readonly traceparent: string;
  /** Aborted: nothing may be sent any more. */
  readonly signal: AbortSignal;
}

/** Nothing can have reached the platform's queue; a call may go through after `retryAfterMs`. */
interface NotSent {
  readonly kind: 'unavailable';
  readonly cause: string;
  readonly retryAfterMs: number;
}

/** The platform's answer to a change, or that there was none. */
export type ChangeAnswer = Exclude<SendingAnswer, { kind: 'pending' }> | NotSent;

/** `null`: the platform does not know the order, or says no. */
export type StatusAnswer = { readonly kind: 'status'; readonly status: number | null } | NotSent;

export interface OrderPlatform {
  setStatus(orderNumber: string, status: OrderStatusName, options: CallOptions): Promise<ChangeAnswer>;
  readStatus(orderNumber: string, options: CallOptions): Promise<StatusAnswer>;
  /** Milliseconds for which the tenant is paused; 0 when a call may be tried. */
  pausedForMs(): number;
}
