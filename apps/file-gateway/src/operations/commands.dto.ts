import type { Result } from '@gondola/shared/results/result';
import { ResultDto } from '@gondola/shared/results/result.dto';
import { MAX_IDENTITY_LENGTH } from '@gondola/shared/limits';
import { Open, openRecord } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { GIVEN_COMMANDS } from './give-command.service.ts';
import { OpenFileCommand } from './files.dto.ts';

const TEXT = { type: String, nullable: true } as const;

/** A command, open or concluded. */
export class ShownFileCommand extends OpenFileCommand {
  @Open()
  readonly tenant!: string;

  @Open({ ...TEXT, description: 'Null while the command is open' })
  readonly outcome!: string | null;

  @Open({ ...TEXT, format: 'date-time' })
  readonly finishedAt!: string | null;

  @Open({
    ...openRecord(ResultDto, { personal: ['message', 'hint'] }),
    nullable: true,
    description:
      'Result as published on erp.files.results.v1; null while the command is open, after 30 days, and after an erasure',
  })
  readonly result!: Result | null;
}

/** A file command of the contract; its other fields depend on `command`. */
export class FileCommandBody {
  @ApiProperty({ minLength: 1, maxLength: MAX_IDENTITY_LENGTH, description: 'Unique per tenant' })
  readonly commandId!: string;

  @ApiProperty({ enum: GIVEN_COMMANDS })
  readonly command!: string;

  @ApiProperty({ required: false, description: 'Required if several tenants are configured' })
  readonly tenant?: string;
}

/** A command that was accepted. */
export class TakenCommand {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly commandId!: string;
}
