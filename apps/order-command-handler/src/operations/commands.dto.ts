import { ShownOpenCommand } from '@gondola/messaging/commands/open-command.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@gondola/service-kit/http/api-docs';
import { Allow } from 'class-validator';
import type { TimelineEntry } from './order-timeline.ts';
import type { ShownCommand } from './shown-command.ts';

const TIME = { type: String, format: 'date-time', nullable: true } as const;
const TEXT = { type: String, nullable: true } as const;

const AWAITED = {
  turn: 'the turn of its lane',
  'earlier-command': 'the command before it (rule 19)',
  'platform-available': 'a platform that can be called; `cause` is `credentials`, `throttled`, `paused` …',
  pdf: 'the file gateway’s answer about the invoice’s PDF',
  outcome: 'the platform’s outcome, until the deadline',
  reading: 'a reading of the status, since an answer was lost or a refusal is to be checked',
} as const satisfies Record<ShownCommand['waits']['for'], string>;

const WAITS = Object.entries(AWAITED).map(([name, meaning]) => `${name}: ${meaning}`);

class Awaited {
  @ApiProperty({ enum: Object.keys(AWAITED), description: WAITS.join('. ') })
  readonly for!: keyof typeof AWAITED;

  @ApiPropertyOptional({ description: 'Of earlier-command' })
  readonly commandId?: string;

  @ApiPropertyOptional({ description: 'Of platform-available' })
  readonly cause?: string;
}

const KINDS = ['fact', 'command', 'attempt', 'reading', 'pdf', 'outcome', 'event'] as const satisfies ReadonlyArray<
  TimelineEntry['kind']
>;

/** One thing that happened to an order, without personal data. */
export class TimelineStep {
  @ApiProperty({ format: 'date-time' })
  readonly at!: string;

  @ApiProperty({ enum: KINDS, description: 'What happened; the further fields depend on it' })
  readonly kind!: TimelineEntry['kind'];
}

export class OpenOrderCommand extends ShownOpenCommand {
  @ApiProperty(TIME)
  readonly firstSentAt!: string | null;

  @ApiProperty({ type: [String] })
  readonly operationIds!: readonly string[];

  @ApiProperty({ type: Awaited })
  readonly waits!: ShownCommand['waits'];
}

/** A command, open or done, without its content. */
export class ShownOrderCommand extends OmitType(OpenOrderCommand, ['waits']) {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ ...TEXT, description: 'Null where it names no order' })
  readonly orderNumber!: string | null;

  @ApiProperty({ ...TEXT, description: 'Null while it is open' })
  readonly outcome!: string | null;

  @ApiProperty(TIME)
  readonly finishedAt!: string | null;

  @ApiProperty(TEXT)
  readonly reasonCode!: string | null;

  @ApiProperty(TEXT)
  readonly evidence!: string | null;

  @ApiProperty({ type: Awaited, nullable: true, description: 'Null once it is done' })
  readonly waits!: ShownCommand['waits'] | null;

  @ApiProperty({ type: [TimelineStep], description: 'Its course, the oldest first' })
  readonly timeline!: readonly TimelineEntry[];
}

export class CommandQuery {
  @QueryParameter('Needed with several tenants')
  readonly tenant?: string;
}

/** A request to withdraw a command. */
export class Withdrawal {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;
}

/** The command that withdraws another one. */
export class AskedWithdrawal {
  @ApiProperty()
  readonly commandId!: string;

  @ApiProperty()
  readonly withdraws!: string;
}
