import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeInCommands } from '../application/take-in-commands.ts';

/** `erp.orders.commands.v1` → commands in the queues of their orders. */
@Controller()
export class OrderCommandsConsumer {
  readonly #commands: TakeInCommands;

  constructor(commands: TakeInCommands) {
    this.#commands = commands;
  }

  @TopicHandler('erp.orders.commands.v1')
  async handle(@Payload() batch: RecordBatch): Promise<void> {
    await this.#commands.take(batch);
  }
}
