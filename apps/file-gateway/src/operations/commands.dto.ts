import type { Result } from '@gondola/shared/results/result';
import { ApiProperty } from '@nestjs/swagger';
import { GIVEN_COMMANDS } from './give-command.service.ts';
import { OpenFileCommand } from './files.dto.ts';

const TEXT = { type: String, nullable: true } as const;

/** A command, open or done. */
export class ShownFileCommand extends OpenFileCommand {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ ...TEXT, description: 'Null while it is open' })
  readonly outcome!: string | null;

  @ApiProperty({ ...TEXT, format: 'date-time' })
  readonly finishedAt!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'As it was published on erp.files.results.v1; null while it is open, and after 30 days or an erasure',
  })
  readonly result!: Result | null;
}

/** A file command as the contract has it; its further fields depend on `command`. */
export class FileCommandBody {
  @ApiProperty({ description: 'Unique per tenant' })
  readonly commandId!: string;

  @ApiProperty({ enum: GIVEN_COMMANDS })
  readonly command!: string;

  @ApiProperty({ required: false, description: 'Needed with several tenants' })
  readonly tenant?: string;
}

/** The command that was taken. */
export class TakenCommand {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly commandId!: string;
}
