import type { WebhookFaultKind } from './fault.ts';

/**
 * What the faults that struck make of one notification: no delivery, one, or several, each due after so many
 * milliseconds.
 */
export interface DeliveryPlan {
  readonly lost: boolean;
  readonly copies: number;
  readonly delayMs: number;
  /** Unknown fields and codes are added to the envelope and all that is in it. */
  readonly extraFields: boolean;
  /** The share of the bytes that is left of a corrupted notification; undefined leaves it whole. */
  readonly leftShare: number | undefined;
}

export interface WebhookStrike {
  readonly kind: WebhookFaultKind;
  /** Of a delay, or the place that a shuffle chose. */
  readonly delayMs: number;
  /** Of a corruption. */
  readonly leftShare?: number;
}

export function deliveryPlan(strikes: readonly WebhookStrike[]): DeliveryPlan {
  const struck = (kind: WebhookFaultKind): WebhookStrike | undefined => strikes.find((strike) => strike.kind === kind);
  return {
    lost: struck('webhook-lose') !== undefined,
    copies: struck('webhook-double') ? 2 : 1,
    delayMs: strikes.reduce((sum, { delayMs }) => sum + delayMs, 0),
    extraFields: struck('extra-fields') !== undefined,
    leftShare: struck('webhook-corrupt')?.leftShare,
  };
}

/** The beginning of these bytes: at least one is left and one is missing, so that no JSON object is one any more. */
export function corrupted(body: Buffer, leftShare: number): Buffer {
  return body.subarray(0, 1 + Math.floor(leftShare * (body.length - 2)));
}
