import type { LaneResults } from '@gondola/messaging/commands/step-saver';
import { orderNumberOf } from '../orders/order-lane.ts';
import { ORDER_COMMANDS, ORDER_RESULTS } from '../orders/order-topics.ts';

/** Results of an order's commands are about the order. */
export const ORDER_LANE_RESULTS: LaneResults = {
  topics: { commands: ORDER_COMMANDS, results: ORDER_RESULTS },
  aboutOf: (lane) => {
    const orderNumber = orderNumberOf(lane);
    return { entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) } };
  },
};
