import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { Must } from '@gondola/service-kit/http/request-fields';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { LANE_KINDS, type LaneKind } from '../commands/file-command-identity.ts';

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

export class FileCounts {
  @ApiProperty({ type: [UploadCount], description: 'Uploads by tenant and state' })
  readonly uploads!: readonly UploadCount[];

  @ApiProperty({ type: [CommandCount] })
  readonly openCommands!: readonly CommandCount[];

  @ApiProperty({ type: 'integer', description: 'Number of SKUs that are known' })
  readonly skus!: number;

  @ApiProperty({ type: 'integer', description: 'Number of orders that are known' })
  readonly orders!: number;
}

const MOST_REFERENCES = 1_000;

function areReferences(value: unknown): boolean {
  return Array.isArray(value) && value.length <= MOST_REFERENCES && value.every(isIdentityText);
}

/** References that may be SKUs. */
export class AskedSkus {
  @ApiProperty({ type: [String], maxItems: MOST_REFERENCES })
  @Must(areReferences, `externalReferences is a list of at most ${MOST_REFERENCES} references`)
  readonly externalReferences!: readonly string[];
}

/** The references that are SKUs on the platform, as far as Gondola knows. */
export class KnownSkus {
  @ApiProperty({ type: [String] })
  readonly known!: readonly string[];
}
