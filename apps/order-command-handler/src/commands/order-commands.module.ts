import { CommandsModule } from '@gondola/messaging/commands/commands.module';
import { Module } from '@nestjs/common';
import { OrderCommandsConsumer } from './order-commands.consumer.ts';
import { ORDER_COMMAND_REPORT } from './order-commands.metrics.ts';

/** `erp.orders.commands.v1` → commands in the queues of their orders. */
@Module({ imports: [CommandsModule.register(ORDER_COMMAND_REPORT)], controllers: [OrderCommandsConsumer] })
export class OrderCommandsModule {}
