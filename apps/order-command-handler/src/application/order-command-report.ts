import { CommandReport } from '@gondola/messaging/commands/command-report';
import type { Logger } from '@gondola/service-kit/logging/logger';
import { isOrderCommandName } from '@gondola/shared/orders/order-command-names';
import type { Registry } from 'prom-client';

export function orderCommandReport(registry: Registry, logger: Logger): CommandReport {
  return new CommandReport({
    registry,
    logger,
    counter: {
      name: 'gondola_order_command_outcomes_total',
      help: 'Order commands that ended, by command and outcome',
      labelNames: ['command', 'outcome'],
    },
    labelsOf: ({ outcome }, command) => ({ command, outcome }),
    isCommandName: isOrderCommandName,
  });
}
