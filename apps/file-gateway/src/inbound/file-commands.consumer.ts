import { type RecordBatch, TopicHandler } from '@gondola/messaging/consume/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { TakeFileCommands } from '../application/take-file-commands.ts';

/** `erp.files.commands.v1` → commands in the queues of their SKUs and orders. */
@Controller()
export class FileCommandsConsumer {
  readonly #commands: TakeFileCommands;

  constructor(commands: TakeFileCommands) {
    this.#commands = commands;
  }

  @TopicHandler('erp.files.commands.v1')
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.#commands.take(batch);
  }
}
