import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Counted, counted, MOST_COUNTED } from '@gondola/service-kit/http/counted.dto';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { isTextOf, Must, QueryParameter, TimeParameter } from '@gondola/service-kit/http/request-fields';

import type { BulkJob } from '@gondola/lanes/jobs/bulk-jobs';
import { BULK_ACTIONS, type BulkAction, type BulkFilter } from '@gondola/lanes/jobs/bulk-target';

const MAX_PER_SECOND = 500;
const MAX_TEXT = 500;
const TIME = { type: String, format: 'date-time' } as const;

/** An action on the rows that match; it changes nothing yet. */
export class BulkPreviewRequest implements BulkFilter {
  @ApiProperty({ enum: BULK_ACTIONS })
  @Must((action) => BULK_ACTIONS.some((each) => each === action), `action is one of: ${BULK_ACTIONS.join(', ')}`)
  readonly action!: BulkAction;

  @ApiPropertyOptional({ maxLength: MAX_TEXT, description: 'Only rows of this tenant' })
  @Must(isTextOrAbsent, 'tenant is the id of a tenant')
  readonly tenant?: string;

  @ApiPropertyOptional({ maxLength: MAX_TEXT, description: 'Only rows with this reason code' })
  @Must(isTextOrAbsent, 'reason is a reason code')
  readonly reason?: string;

  @ApiPropertyOptional({ maxLength: MAX_TEXT, description: 'Only dead letters of this topic, without its prefix' })
  @Must(isTextOrAbsent, 'topic is the name of a topic')
  readonly topic?: string;

  @TimeParameter('Only rows that came at or after this time')
  readonly from?: string;

  @TimeParameter('Only rows that came before this time')
  readonly to?: string;
}

/** An action on all rows that match and wait now. */
export class BulkJobRequest extends BulkPreviewRequest {
  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_PER_SECOND, default: 50 })
  @Must(
    (pace) => Number.isInteger(pace) && Number(pace) >= 1 && Number(pace) <= MAX_PER_SECOND,
    `perSecond is a whole number from 1 to ${MAX_PER_SECOND}`,
  )
  readonly perSecond: number = 50;

  @ApiPropertyOptional({ maxLength: MAX_TEXT, description: 'Why the rows are discarded; needed for discard' })
  @Must(isTextOrAbsent, `note is a text of at most ${MAX_TEXT} characters`)
  readonly note?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MOST_COUNTED,
    description: 'Rows that the preview counted; a start that finds more changes none',
  })
  @Must(
    (rows) => rows === undefined || (Number.isInteger(rows) && Number(rows) >= 0 && Number(rows) <= MOST_COUNTED),
    `expected is a whole number from 0 to ${MOST_COUNTED}`,
  )
  readonly expected?: number;

  @ApiProperty({ enum: [true], description: 'Required, since the action cannot be undone' })
  @Must((confirm) => confirm === true, 'It cannot be undone; it requires confirm: true')
  readonly confirm!: true;
}

export class BulkJobsQuery extends PageQuery {
  @QueryParameter('Only jobs on rows of this tenant alone')
  readonly tenant?: string;
}

/** Names the tenant of a job; a job of another tenant, or of all, is then not found. */
export class BulkJobQuery {
  @QueryParameter('Tenant of the job')
  readonly tenant?: string;
}

class ShownFilter implements BulkFilter {
  @Open({ required: false })
  readonly tenant?: string;

  @Open({ required: false })
  readonly reason?: string;

  @Open({ required: false })
  readonly topic?: string;

  @Open({ ...TIME, required: false })
  readonly from?: string;

  @Open({ ...TIME, required: false })
  readonly to?: string;
}

/** A job and its progress. */
export class ShownBulkJob {
  @Open()
  readonly id!: string;

  @Open({ enum: BULK_ACTIONS })
  readonly action!: BulkAction;

  @Open({ type: ShownFilter })
  readonly filter!: BulkFilter;

  @Personal()
  readonly note!: string;

  @Open({ type: 'integer' })
  readonly perSecond!: number;

  @Open({ type: String, nullable: true, description: 'Operator who asked for it, if named' })
  readonly requestedBy!: string | null;

  @Open({ type: Counted, description: 'Rows that matched at the start' })
  readonly expected!: Counted;

  @Open({ type: 'integer', description: 'Rows that were changed' })
  readonly done!: number;

  @Open({ type: 'integer', description: 'Rows that could not be changed, or that waited no longer' })
  readonly failed!: number;

  @Open({ enum: ['running', 'finished', 'stopped'] })
  readonly state!: 'running' | 'finished' | 'stopped';

  @Open(TIME)
  readonly startedAt!: Date;

  @Open({ ...TIME, nullable: true })
  readonly finishedAt!: Date | null;
}

export function shownJob({ isStopped, expected, ...job }: BulkJob): ShownBulkJob {
  const ended = isStopped ? 'stopped' : 'finished';
  return { ...job, expected: counted(expected), state: job.finishedAt === null ? 'running' : ended };
}

function isTextOrAbsent(value: unknown): boolean {
  return value === undefined || isTextOf(value, { most: MAX_TEXT });
}
