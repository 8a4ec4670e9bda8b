import { HEADER } from '@gondola/kafka/records/record-codec';
import { CommandIntake, type CommandSource } from '@gondola/lanes/commands/command-intake';
import { type RecordBatch, TopicHandler } from '@gondola/kafka/server/topic-handler';
import { Controller } from '@nestjs/common';
import { Payload } from '@nestjs/microservices';
import { FILE_COMMANDS, FILE_RESULTS, readFileCommandIdentity } from './file-command-identity.ts';

const SOURCE: CommandSource = {
  results: FILE_RESULTS,
  read: (record, tenants) =>
    readFileCommandIdentity(record.value, { tenantHeader: record.header(HEADER.tenant), tenants }),
  conflict: { field: 'commandId' },
};

/**
 * Stores commands of the ERP and of the order saga from `erp.files.commands.v1` in the lanes of their SKUs and
 * orders.
 */
@Controller()
export class FileCommandsConsumer {
  constructor(private readonly intake: CommandIntake) {}

  @TopicHandler(FILE_COMMANDS)
  async take(@Payload() batch: RecordBatch): Promise<void> {
    await this.intake.take(batch, SOURCE);
  }
}
