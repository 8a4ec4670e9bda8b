import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { Module } from '@nestjs/common';
import { OrderCommandsConsumer } from './order-commands.consumer.ts';
import type { CommandReportOptions } from '@gondola/messaging/commands/command-report';
import { ORDER_COMMAND_NAMES } from './order-commands.ts';

export const ORDER_COMMAND_REPORT: CommandReportOptions<'command' | 'outcome'> = {
  counter: {
    name: 'gondola_order_command_outcomes_total',
    help: 'Concluded order commands, by command and outcome',
    labelNames: ['command', 'outcome'],
  },
  labelsOf: ({ outcome }, command) => ({ command, outcome }),
  isCommandName: (name) => ORDER_COMMAND_NAMES.includes(name),
};

/** `erp.orders.commands.v1` → commands in the queues of their orders. */
@Module({ imports: [CommandsModule.register(ORDER_COMMAND_REPORT)], controllers: [OrderCommandsConsumer] })
export class OrderCommandsModule {}
