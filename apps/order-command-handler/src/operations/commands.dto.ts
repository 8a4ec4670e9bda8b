import { ShownOpenCommand } from '@gondola/lanes/commands/open-command.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional, OmitType } from '@gondola/service-kit/http/api-docs';
import type { CodeAndName } from '@gondola/shared/orders/order-statuses';
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
  @Open({ enum: Object.keys(AWAITED), description: WAITS.join('. ') })
  readonly for!: keyof typeof AWAITED;

  @Open({ required: false, description: 'Of earlier-command' })
  readonly commandId?: string;

  @Open({ required: false, description: 'Of platform-available' })
  readonly cause?: string;
}

const KINDS = ['fact', 'command', 'attempt', 'reading', 'pdf', 'outcome', 'event'] as const satisfies ReadonlyArray<
  TimelineEntry['kind']
>;

export class OrderStatus implements CodeAndName {
  @Open({ type: 'integer' })
  readonly code!: number;

  @Open({ type: String, nullable: true })
  readonly name!: string | null;
}

/** An error of the platform. Its title is a text of the platform, which may repeat sent values. */
export class PlatformError {
  @Open({ type: 'integer', nullable: true })
  readonly statusCode!: number | null;

  @Personal({ type: String, nullable: true })
  readonly title!: string | null;
}

class AttemptAnswer {
  @Open({ enum: ['accepted', 'refused', 'unknown'] })
  readonly kind!: 'accepted' | 'refused' | 'unknown';

  @Open(TEXT)
  readonly operationId!: string | null;

  @Open({ type: 'integer', nullable: true, description: 'HTTP status of a refusal' })
  readonly status!: number | null;

  @Open({ ...TEXT, description: 'Why no answer came' })
  readonly cause!: string | null;
}

/** One thing that happened to an order. */
export class TimelineStep {
  @Open({ format: 'date-time' })
  readonly at!: string;

  @Open({ enum: KINDS, description: 'What happened; the further fields depend on it' })
  readonly kind!: TimelineEntry['kind'];

  @Open({ required: false, description: 'Of a fact: how it became known' })
  readonly source?: string;

  @Open({ required: false, description: 'Of a fact' })
  readonly eventType?: string;

  @Open({ ...TEXT, required: false, description: 'Of a fact' })
  readonly operationId?: string | null;

  @Open({ type: OrderStatus, nullable: true, required: false, description: 'Of a fact or an event' })
  readonly status?: CodeAndName | null;

  @Open({ ...TEXT, required: false, description: 'Of a fact: as the platform writes it' })
  readonly updatedAt?: string | null;

  @Open({ type: PlatformError, nullable: true, required: false, description: 'Of a fact' })
  readonly error?: PlatformError | null;

  @Open({ ...TEXT, required: false, description: 'Of anything about a command' })
  readonly commandId?: string | null;

  @Open({ required: false, description: 'Of a command or an outcome' })
  readonly command?: string;

  @Open({ ...TEXT, required: false, description: 'Of a command: the operator who asked for it; null: the ERP' })
  readonly requestedBy?: string | null;

  @Open({ required: false, description: 'Of an attempt' })
  readonly step?: string;

  @Open({ type: AttemptAnswer, nullable: true, required: false, description: 'Of an attempt: null before its answer' })
  readonly answer?: AttemptAnswer | null;

  @Open({ required: false, enum: ['status', 'payload'], description: 'Of a reading' })
  readonly of?: 'status' | 'payload';

  @Open({ required: false, description: 'Of a reading' })
  readonly purpose?: string;

  @Open({ ...TEXT, required: false, description: 'Of a reading: a status, or what became of it' })
  readonly found?: string | null;

  @Open({ required: false, enum: ['check', 'attach'], description: 'Of a request for an invoice’s PDF' })
  readonly asked?: 'check' | 'attach';

  @Open({ required: false, description: 'Of an outcome' })
  readonly outcome?: string;

  @Open({ required: false, description: 'Of an outcome' })
  readonly isCorrection?: boolean;

  @Open({ ...TEXT, required: false, description: 'Of an outcome' })
  readonly reasonCode?: string | null;

  @Open({ ...TEXT, required: false, description: 'Of an outcome' })
  readonly evidence?: string | null;

  @Open({ type: 'integer', nullable: true, required: false, description: 'Of an outcome or an event' })
  readonly revision?: number | null;

  @Open({ required: false, description: 'Of an event' })
  readonly type?: string;

  @Open({ ...TEXT, required: false, description: 'Of an event' })
  readonly cause?: string | null;
}

export class OpenOrderCommand extends ShownOpenCommand {
  @Open(TIME)
  readonly firstSentAt!: string | null;

  @Open({ type: [String] })
  readonly operationIds!: readonly string[];

  @Open({ type: Awaited })
  readonly waits!: ShownCommand['waits'];
}

/** A command, open or done, without its content. */
export class ShownOrderCommand extends OmitType(OpenOrderCommand, ['waits']) {
  @Open()
  readonly tenant!: string;

  @Open({ ...TEXT, description: 'Null where it names no order' })
  readonly orderNumber!: string | null;

  @Open({ ...TEXT, description: 'Null while it is open' })
  readonly outcome!: string | null;

  @Open(TIME)
  readonly finishedAt!: string | null;

  @Open(TEXT)
  readonly reasonCode!: string | null;

  @Open(TEXT)
  readonly evidence!: string | null;

  @Open({ type: Awaited, nullable: true, description: 'Null once it is done' })
  readonly waits!: ShownCommand['waits'] | null;

  @Open({ type: [TimelineStep], description: 'Its course, the oldest first' })
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
  @Open()
  readonly commandId!: string;

  @Open()
  readonly withdraws!: string;
}
