import type { CommandReportOptions } from '@gondola/lanes/commands/command-report';
import { cancelOrder } from './cancel-order.ts';
import { attachInvoicePdf, registerInvoice } from './invoice-commands.ts';
import type { OrderCommandDefinition } from './order-command.ts';
import { refreshOrder } from './refresh-order.ts';
import { releaseOrder, withdrawCommand } from './immediate-commands.ts';
import { reportPicking } from './report-picking.ts';
import { statusCommands } from './status-commands.ts';

/** The ERP's order commands (contract, "Order commands"). */
const ORDER_COMMANDS: readonly OrderCommandDefinition[] = [
  ...statusCommands,
  reportPicking,
  registerInvoice,
  attachInvoicePdf,
  cancelOrder,
  refreshOrder,
  releaseOrder,
  withdrawCommand,
];

const BY_NAME: ReadonlyMap<string, OrderCommandDefinition> = new Map(
  ORDER_COMMANDS.map((definition) => [definition.name, definition]),
);

export const ORDER_COMMAND_NAMES: readonly string[] = [...BY_NAME.keys()];

/** Null for a name that no command has. */
export function orderCommand(name: string): OrderCommandDefinition | null {
  return BY_NAME.get(name) ?? null;
}

/** The queue of a command by its name as it was written; what no command is called waits with the others. */
export function orderCommandQueue(name: string): OrderCommandDefinition['queue'] {
  return orderCommand(name)?.queue ?? 'main';
}

/** The commands that say what was invoiced: number, value, series, access key. Their content stays after an erasure. */
export const FISCAL_COMMANDS = ['RegisterInvoice'];

/** Metric of commands; a command that is not the contract's is counted as `other`. */
export const ORDER_COMMAND_REPORT: CommandReportOptions<'command' | 'outcome'> = {
  counter: {
    name: 'gondola_order_command_outcomes_total',
    help: 'Concluded order commands, by command and outcome',
    labelNames: ['command', 'outcome'],
  },
  labelsOf: ({ outcome }, command) => ({ command, outcome }),
  isCommandName: (name) => ORDER_COMMAND_NAMES.includes(name),
};
