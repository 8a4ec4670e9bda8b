import type { LaneResults } from '@gondola/lanes/commands/step-saver';
import type { TopicName } from '@gondola/shared/topics/topics';
import { orderNumberOf } from '../facts/order-lane.ts';

export const ORDER_COMMANDS = 'erp.orders.commands.v1' as const satisfies TopicName;
export const ORDER_RESULTS = 'erp.orders.results.v1' as const satisfies TopicName;
export const ORDER_EVENTS = 'erp.orders.events.v1' as const satisfies TopicName;

/** The entity of an order command's result is the order. */
export const ORDER_LANE_RESULTS: LaneResults = {
  topics: { commands: ORDER_COMMANDS, results: ORDER_RESULTS },
  aboutOf: (lane) => {
    const orderNumber = orderNumberOf(lane);
    return { entity: orderNumber === null ? null : { kind: 'order', orderNumber: Number(orderNumber) } };
  },
};
