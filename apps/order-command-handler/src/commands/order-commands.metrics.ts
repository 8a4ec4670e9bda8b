import type { CommandReportOptions } from '@gondola/messaging/commands/command-report';
import { ORDER_COMMAND_NAMES } from './order-commands.ts';

export const ORDER_COMMAND_REPORT: CommandReportOptions<'command' | 'outcome'> = {
  counter: {
    name: 'gondola_order_command_outcomes_total',
    help: 'Order commands that ended, by command and outcome',
    labelNames: ['command', 'outcome'],
  },
  labelsOf: ({ outcome }, command) => ({ command, outcome }),
  isCommandName: (name) => ORDER_COMMAND_NAMES.includes(name),
};
