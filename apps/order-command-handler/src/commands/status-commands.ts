import { type OrderCommandName } from '@gondola/shared/orders/order-command-dtos';
import type { OrderStatusCode } from '@gondola/shared/orders/order-statuses';
import { decideStatusCommand } from './decide-status-command.ts';
import { BY_RESULT, defineOrderCommand, type OrderCommandDefinition } from './order-command.ts';

/** Commands that set a status by PATCH. Reason, carrier and tracking of some are validated, not sent. */
export const statusCommands: readonly OrderCommandDefinition[] = [
  setsStatus('StartPreparation', 400),
  setsStatus('MarkReady', 500),
  setsStatus('Ship', 600),
  setsStatus('ConfirmDelivery', 700),
  setsStatus('ReportDeliveryFailure', 900),
  setsStatus('RegisterReturn', 1000),
];

function setsStatus(name: OrderCommandName, target: OrderStatusCode): OrderCommandDefinition {
  return defineOrderCommand({
    name,
    queue: 'main',
    deadline: 'commandMs',
    target,
    read: () => null,
    skusOf: () => [],
    decide: (_, turn, settings) => decideStatusCommand({ ...turn, target }, settings),
    change: () => ({ kind: 'status', target }),
    publishedBy: BY_RESULT,
  });
}
