import type { LaneKey } from '@gondola/messaging/lanes/lanes';

export const ORDER_LANE = 'order';

/** Command of which no order number can be read wait in lanes of their own; no order number begins like this. */
const WITHOUT_NUMBER = 'command/';

/** The lane of an order: everything about it happens in one row's turn. */
export function orderLane(tenant: string, orderNumber: string): LaneKey {
  return { tenant, kind: ORDER_LANE, identity: orderNumber };
}

/** The lane of a command, by its order if it names one. */
export function commandLane(command: {
  readonly tenant: string;
  readonly commandId: string;
  readonly orderNumber: string | null;
}): LaneKey {
  return orderLane(command.tenant, command.orderNumber ?? WITHOUT_NUMBER + command.commandId);
}

/** The order number of a lane; null for the lane of a command without one. */
export function orderNumberOf({ identity }: Pick<LaneKey, 'identity'>): string | null {
  return identity.startsWith(WITHOUT_NUMBER) ? null : identity;
}
