import type { Digits } from '@gondola/shared/json/json-digits';
import type { PickingItem } from '@gondola/shared/orders/picking-items';

/** A call that changes something at the platform. Its kind is the step under which a sending is written down. */
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
