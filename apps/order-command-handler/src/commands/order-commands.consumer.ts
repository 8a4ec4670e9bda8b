import { HEADER } from '@gondola/kafka/records/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/lanes/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { ORDER_COMMANDS, ORDER_RESULTS } from '../orders/order-topics.ts';
import { readOrderCommandIdentity } from './read-command.ts';

const SOURCE: CommandSource = {
  results: ORDER_RESULTS,
  read: (record, tenants) =>
    readOrderCommandIdentity(record.value, { tenantHeader: record.header(HEADER.tenant), tenants }),
  conflict: { field: 'commandId' },
};

/** `erp.orders.commands.v1` → commands in the queues of their orders. */
@Controller()
export class OrderCommandsConsumer {
  constructor(private readonly intake: CommandIntake) {}

  @TopicHandler(ORDER_COMMANDS)
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.take(batch, SOURCE);
  }
}
