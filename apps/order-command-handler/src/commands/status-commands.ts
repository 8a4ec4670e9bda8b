import { OrderCommandDto } from '@gondola/shared/dto/order-command.dto';
import { StatusCommandDto } from '@gondola/shared/dto/status-command.dto';
import { type RecordShape, shapeOf } from '@gondola/shared/fields/record-shape';
import type { OrderStatusCode } from '@gondola/shared/orders/order-statuses';
import { decideStatusCommand } from './decide-status-command.ts';
import { BY_RESULT, defineOrderCommand, type OrderCommandDefinition } from './order-command.ts';

const STATUS = shapeOf(StatusCommandDto);

/** Commands that set a status by PATCH. The reason, carrier and tracking that some may have are checked, not sent. */
export const statusCommands: readonly OrderCommandDefinition[] = [
  setsStatus('StartPreparation', 400, shapeOf(OrderCommandDto)),
  setsStatus('MarkReady', 500, STATUS),
  setsStatus('Ship', 600, STATUS),
  setsStatus('ConfirmDelivery', 700, STATUS),
  setsStatus('ReportDeliveryFailure', 900, STATUS),
  setsStatus('RegisterReturn', 1000, STATUS),
];

function setsStatus(name: string, target: OrderStatusCode, shape: RecordShape): OrderCommandDefinition {
  return defineOrderCommand({
    name,
    shape,
    queue: 'main',
    deadline: 'commandMs',
    target,
    problems: () => [],
    read: () => null,
    skusOf: () => [],
    decide: (_, turn, settings) => decideStatusCommand({ ...turn, target }, settings),
    change: () => ({ kind: 'status', target }),
    publishedBy: BY_RESULT,
  });
}
