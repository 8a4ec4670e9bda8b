import type { TopicName } from '@gondola/shared/topics/topics';

export const ORDER_COMMANDS = 'erp.orders.commands.v1' as const satisfies TopicName;
export const ORDER_RESULTS = 'erp.orders.results.v1' as const satisfies TopicName;
export const ORDER_EVENTS = 'erp.orders.events.v1' as const satisfies TopicName;
