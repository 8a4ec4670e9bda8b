import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Open } from '@gondola/service-kit/http/answer-fields';
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
  @Open({ description: 'Its place in the list' })
  readonly id!: string;

  @Open()
  readonly orderNumber!: string;

  @Open({ enum: OUTCOMES, nullable: true, description: 'Null while it is open' })
  readonly outcome!: RecoveryOutcome | null;

  @Open(COUNT)
  readonly lookups!: number;

  @Open(TIME)
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
  @Open()
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open({ enum: ['operator', 'scan'] })
  readonly source!: 'operator' | 'scan';

  @Open(COUNT)
  readonly from!: number;

  @Open(COUNT)
  readonly to!: number;

  @Open({ ...COUNT, description: 'Numbers of the range that no notification named' })
  readonly candidates!: number;

  @Open(COUNT)
  readonly found!: number;

  @Open({ ...COUNT, description: 'Named by a notification meanwhile' })
  readonly known!: number;

  @Open({ ...COUNT, description: 'Unknown to the platform as often as they were read' })
  readonly givenUp!: number;

  @Open({ ...COUNT, description: 'Given up because the platform fails whenever they are read' })
  readonly unreadable!: number;

  @Open(COUNT)
  readonly open!: number;

  @Open({ ...COUNT, description: 'Open, and not waiting to be read again' })
  readonly due!: number;

  @Open(COUNT)
  readonly lookups!: number;

  @Open({ type: Number, nullable: true })
  readonly perMinute!: number | null;

  @Open(TIME)
  readonly startedAt!: string;

  @Open(TIME)
  readonly finishedAt!: string | null;

  @Open(TIME)
  readonly estimatedEndAt!: string | null;
}

export class Recoveries {
  @Open({ type: [Recovery], description: 'The newest first' })
  readonly entries!: readonly Recovery[];
}
