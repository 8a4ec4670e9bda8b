import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { ApiProperty } from '@nestjs/swagger';
import { LANE_KINDS, type LaneKind } from '../commands/file-command-identity.ts';
import type { TableCounts } from './counts.repository.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class OpenFileCommand extends ShownOpenCommand {
  @ApiProperty(TIME)
  readonly firstSentAt!: string | null;

  @ApiProperty({ type: [String] })
  readonly operationIds!: readonly string[];

  @ApiProperty({ type: String, nullable: true, description: 'Why the next call could not be made yet' })
  readonly blocked!: string | null;

  @ApiProperty({ ...TIME, description: 'Since when its SKU is waited for' })
  readonly waitingSince!: string | null;
}

/** A lane for operators: what is open in it and what that waits for. */
export class ShownLane {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ enum: LANE_KINDS })
  readonly kind!: LaneKind;

  @ApiProperty()
  readonly identity!: string;

  @ApiProperty(TIME)
  readonly dueAt!: string | null;

  @ApiProperty({ ...TIME, description: 'While a worker has it' })
  readonly leaseUntil!: string | null;

  @ApiProperty({ type: 'integer', description: 'Steps that failed in a row' })
  readonly failures!: number;

  @ApiProperty({ type: [OpenFileCommand], description: 'The oldest first; at most 50' })
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

  @ApiProperty({ type: 'integer', description: 'Held by open commands' })
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
  @ApiProperty({ type: [UploadCount], description: 'By tenant and state' })
  readonly uploads!: readonly UploadCount[];

  @ApiProperty({ type: [CommandCount] })
  readonly openCommands!: readonly CommandCount[];

  @ApiProperty({ type: 'integer', description: 'SKUs that are known' })
  readonly skus!: number;

  @ApiProperty({ type: 'integer', description: 'Orders that are known' })
  readonly orders!: number;
}
