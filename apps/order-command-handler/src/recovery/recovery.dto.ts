import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Allow } from 'class-validator';

const TIME = { type: String, format: 'date-time', nullable: true } as const;
const COUNT = { type: 'integer' } as const;

/** Which runs are wanted. */
export class RecoveriesQuery {
  @QueryParameter('Only its runs')
  readonly tenant?: string;
}

const OUTCOMES = ['found', 'known', 'given-up', 'unreadable'] as const;

/** Outcome of a number: read, notified meanwhile, unknown to the platform, or failing whenever it is read. */
export type RecoveryOutcome = (typeof OUTCOMES)[number];

/** Which numbers of a run are wanted. */
export class NumbersQuery extends PageQuery {
  @QueryParameter('Only those that came to this', OUTCOMES)
  readonly outcome?: RecoveryOutcome;
}

/** A number of a run, and what it came to. */
export class RecoveredNumber {
  @ApiProperty({ description: 'Its place in the list' })
  readonly id!: string;

  @ApiProperty()
  readonly orderNumber!: string;

  @ApiProperty({ enum: OUTCOMES, nullable: true, description: 'Null while it is open' })
  readonly outcome!: RecoveryOutcome | null;

  @ApiProperty(COUNT)
  readonly lookups!: number;

  @ApiProperty(TIME)
  readonly concludedAt!: string | null;
}

/** A request to look for lost orders; `rangeOf` judges the range. */
export class RecoveryRequest {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;

  @ApiProperty({ ...COUNT, minimum: 1 })
  @Allow()
  readonly from: unknown;

  @ApiProperty({ ...COUNT, minimum: 1, description: 'Inclusive; 100,000 numbers at most' })
  @Allow()
  readonly to: unknown;
}

/** A run that looks for lost orders: how far it is, how fast, and its estimated end. */
export class Recovery {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ enum: ['operator', 'scan'] })
  readonly source!: 'operator' | 'scan';

  @ApiProperty(COUNT)
  readonly from!: number;

  @ApiProperty(COUNT)
  readonly to!: number;

  @ApiProperty({ ...COUNT, description: 'Numbers of the range that no notification named' })
  readonly candidates!: number;

  @ApiProperty(COUNT)
  readonly found!: number;

  @ApiProperty({ ...COUNT, description: 'Named by a notification meanwhile' })
  readonly known!: number;

  @ApiProperty({ ...COUNT, description: 'Unknown to the platform as often as they were read' })
  readonly givenUp!: number;

  @ApiProperty({ ...COUNT, description: 'Given up because the platform fails whenever they are read' })
  readonly unreadable!: number;

  @ApiProperty(COUNT)
  readonly open!: number;

  @ApiProperty({ ...COUNT, description: 'Open, and not waiting to be read again' })
  readonly due!: number;

  @ApiProperty(COUNT)
  readonly lookups!: number;

  @ApiProperty({ type: Number, nullable: true })
  readonly perMinute!: number | null;

  @ApiProperty(TIME)
  readonly startedAt!: string;

  @ApiProperty(TIME)
  readonly finishedAt!: string | null;

  @ApiProperty(TIME)
  readonly estimatedEndAt!: string | null;
}

export class Recoveries {
  @ApiProperty({ type: [Recovery], description: 'The newest first' })
  readonly entries!: readonly Recovery[];
}
