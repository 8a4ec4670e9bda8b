import type { JsonValue } from '@gondola/shared/json/json-digits';
import { orderNumberText } from '@gondola/shared/topics/identities';

export const ORDER_LANE = 'order';

/** Identity prefix of lanes for commands without a readable order number; no order number begins like this. */
const WITHOUT_NUMBER = 'command/';

/** The lane of an order: all its facts and commands are handled one step at a time. */
export function orderLane(
  tenant: string,
  orderNumber: string,
): { readonly tenant: string; readonly kind: string; readonly identity: string } {
  return { tenant, kind: ORDER_LANE, identity: orderNumber };
}

/** The lane of a command, by its order if it names one. */
export function commandLane(
  orderNumber: string | null,
  commandId: string,
): { readonly kind: string; readonly identity: string } {
  return { kind: ORDER_LANE, identity: orderNumber ?? WITHOUT_NUMBER + commandId };
}

/** The order number of a lane; null for the lane of a command without one. */
export function orderNumberOf({ identity }: { readonly identity: string }): string | null {
  return identity.startsWith(WITHOUT_NUMBER) ? null : identity;
}

/**
 * An order's number as canonical text; null for any other value, and for one too large for the integer of the events.
 */
export function readOrderNumber(value: JsonValue | undefined): string | null {
  const text = orderNumberText(value);
  return text !== null && Number.isSafeInteger(Number(text)) ? text : null;
}
