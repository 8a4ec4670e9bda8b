import { ShownOpenCommand } from '@gondola/lanes/commands/open-command.dto';
import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { Must } from '@gondola/service-kit/http/request-fields';
import { isIdentityText } from '@gondola/shared/topics/identities';
import { LANE_KINDS, type LaneKind } from '../lane-kinds.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;

export class OpenFileCommand extends ShownOpenCommand {
  @Open(TIME)
  readonly firstSentAt!: string | null;

  @Open({ type: [String] })
  readonly operationIds!: readonly string[];

  @Open({ type: String, nullable: true, description: 'Reason why the next call could not be made yet' })
  readonly blocked!: string | null;

  @Open({ ...TIME, description: 'Time since which the command has waited for its SKU' })
  readonly waitingSince!: string | null;
}

/** A lane as shown to operators: its open commands and their waits. */
export class ShownLane {
  @Open()
  readonly tenant!: string;

  @Open({ enum: LANE_KINDS })
  readonly kind!: LaneKind;

  @Open()
  readonly identity!: string;

  @Open(TIME)
  readonly dueAt!: string | null;

  @Open({ ...TIME, description: 'End of the lease, while a worker holds the lane' })
  readonly leaseUntil!: string | null;

  @Open({ type: 'integer', description: 'Number of steps that failed in a row' })
  readonly failures!: number;

  @Open({ type: [OpenFileCommand], description: 'Open commands, oldest first; at most 50' })
  readonly openCommands!: readonly OpenFileCommand[];
}

class UploadCount {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly state!: string;

  @Open({ type: 'integer' })
  readonly uploads!: number;

  @Open({ type: 'integer' })
  readonly bytes!: number;

  @Open({ type: 'integer', description: 'Uploads that open commands hold' })
  readonly held!: number;
}

class CommandCount {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly command!: string;

  @Open({ type: 'integer' })
  readonly open!: number;
}

export class FileCounts {
  @Open({ type: [UploadCount], description: 'Uploads by tenant and state' })
  readonly uploads!: readonly UploadCount[];

  @Open({ type: [CommandCount] })
  readonly openCommands!: readonly CommandCount[];

  @Open({ type: 'integer', description: 'Number of SKUs that are known' })
  readonly skus!: number;

  @Open({ type: 'integer', description: 'Number of orders that are known' })
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
  @Open({ type: [String] })
  readonly known!: readonly string[];
}
