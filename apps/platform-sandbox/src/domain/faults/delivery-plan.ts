import type { WebhookFaultKind } from './fault.ts';

/** What the faults that struck make of one notification: no delivery, one, or several, each due after so many milliseconds. */
export interface DeliveryPlan {
  readonly lost: boolean;
  readonly copies: number;
  readonly delayMs: number;
}

export interface WebhookStrike {
  readonly kind: WebhookFaultKind;
  /** Of a delay, or the place that a shuffle chose. */
  readonly delayMs: number;
}

export function deliveryPlan(strikes: readonly WebhookStrike[]): DeliveryPlan {
  return {
    lost: strikes.some(({ kind }) => kind === 'webhook-lose'),
    copies: strikes.some(({ kind }) => kind === 'webhook-double') ? 2 : 1,
    delayMs: strikes.reduce((sum, { delayMs }) => sum + delayMs, 0),
  };
}
