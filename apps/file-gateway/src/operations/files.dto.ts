import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { LANE_KINDS, type LaneKind } from '../commands/file-command-identity.ts';
import type { TableCounts } from './counts.repository.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class OpenFileCommand extends ShownOpenCommand {
  @ApiProperty(TIME)
  readonly firstSentAt!: string | null;

  @ApiProperty({ type: [String] })
  readonly operationIds!: readonly string[];

  @ApiProperty({ type: String, nullable: true, description: 'Reason why the next call could not be made yet' })
  readonly blocked!: string | null;

  @ApiProperty({ ...TIME, description: 'Time since which the command has waited for its SKU' })
  readonly waitingSince!: string | null;
}

/** A lane as shown to operators: its open commands and their waits. */
export class ShownLane {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ enum: LANE_KINDS })
  readonly kind!: LaneKind;

  @ApiProperty()
  readonly identity!: string;

  @ApiProperty(TIME)
  readonly dueAt!: string | null;

  @ApiProperty({ ...TIME, description: 'End of the lease, while a worker holds the lane' })
  readonly leaseUntil!: string | null;

  @ApiProperty({ type: 'integer', description: 'Number of steps that failed in a row' })
  readonly failures!: number;

  @ApiProperty({ type: [OpenFileCommand], description: 'Open commands, oldest first; at most 50' })
  readonly openCommands!: readonly OpenFileCommand[];
}

class UploadCount {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly state!: string;

  @ApiProperty({ type: 'integer' })
  readonly uploads!: number;

  @ApiProperty({ type: 'integer' })
  readonly bytes!: number;

  @ApiProperty({ type: 'integer', description: 'Uploads that open commands hold' })
  readonly held!: number;
}

class CommandCount {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly command!: string;

  @ApiProperty({ type: 'integer' })
  readonly open!: number;
}

export class FileCounts implements TableCounts {
  @ApiProperty({ type: [UploadCount], description: 'Uploads by tenant and state' })
  readonly uploads!: readonly UploadCount[];

  @ApiProperty({ type: [CommandCount] })
  readonly openCommands!: readonly CommandCount[];

  @ApiProperty({ type: 'integer', description: 'Number of SKUs that are known' })
  readonly skus!: number;

  @ApiProperty({ type: 'integer', description: 'Number of orders that are known' })
  readonly orders!: number;
}
