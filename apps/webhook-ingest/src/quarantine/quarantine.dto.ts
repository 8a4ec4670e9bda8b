import { CountedRows } from '@gondola/service-kit/http/counted.dto';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { isNote, MAX_NOTE_LENGTH, Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ID_FORM } from '@gondola/service-kit/http/page.dto';
import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { idParam } from '../inbox/operations.dto.ts';
import { QUARANTINE_REASONS, type QuarantineReason } from '../notifications/read-notification.ts';
import { QUARANTINE_STATES, QuarantineEntryEntity, type QuarantineState } from './quarantine-entry.entity.ts';

/** Search parameters of the quarantine. */
export class QuarantineQuery extends PageQuery {
  @QueryParameter('Only entries of this tenant')
  readonly tenant?: string;

  @QueryParameter('Only entries with this reason', QUARANTINE_REASONS)
  readonly reason?: QuarantineReason;

  @QueryParameter('open: not settled yet', QUARANTINE_STATES)
  readonly state?: QuarantineState;
}

/** Open entries of one cause. */
export class QuarantineGroup extends CountedRows {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly reason!: string;

  @Open({ description: 'A field’s name or a code, never a value' })
  readonly detail!: string;
}

export class QuarantineGroups {
  @Open({ type: [QuarantineGroup] })
  readonly groups!: readonly QuarantineGroup[];
}

/** Selects the groups of one tenant. */
export class GroupsQuery {
  @QueryParameter('Only entries of this tenant')
  readonly tenant?: string;
}

export class QuarantineEntryWithBody extends QuarantineEntryEntity {
  @Personal({
    required: false,
    type: String,
    nullable: true,
    description: 'Content in base64, only with `body=true`; null if it is erased',
  })
  readonly bodyBase64?: string | null;
}

export class Reprocessed {
  @Open({ enum: ['stored', 'repeated', 'still-quarantined'] })
  readonly outcome!: 'stored' | 'repeated' | 'still-quarantined';

  @Open({ required: false, enum: QUARANTINE_REASONS, description: 'Reason, only with the outcome still-quarantined' })
  readonly reason?: QuarantineReason;

  @Open({ required: false, description: 'Detail of the reason, only with the outcome still-quarantined' })
  readonly detail?: string;
}

const MOST_AT_ONCE = 200;

/** Open entries to read again. */
export class ReprocessRequest {
  @ApiPropertyOptional({ description: 'Only entries of this tenant' })
  @Must((tenant) => tenant === undefined || typeof tenant === 'string', 'tenant is the id of a tenant')
  readonly tenant?: string;

  @ApiPropertyOptional({ enum: QUARANTINE_REASONS, description: 'Only entries with this reason' })
  @Must(
    (reason) => reason === undefined || QUARANTINE_REASONS.some((each) => each === reason),
    `reason is one of: ${QUARANTINE_REASONS.join(', ')}`,
  )
  readonly reason?: QuarantineReason;

  @ApiPropertyOptional({ pattern: ID_FORM, description: 'Value of `next` from the answer before' })
  @Must(
    (after) => after === undefined || (typeof after === 'string' && idParam(after) !== null),
    'after is the `next` of the answer before it',
  )
  readonly after: string = '0';

  @ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MOST_AT_ONCE, default: 50 })
  @Must(
    (limit) => Number.isInteger(limit) && Number(limit) >= 1 && Number(limit) <= MOST_AT_ONCE,
    `limit is a whole number from 1 to ${MOST_AT_ONCE}`,
  )
  readonly limit: number = 50;

  @ApiProperty({ enum: [true], description: 'Required, since what is understood is published' })
  @Must((confirm) => confirm === true, 'What is understood is published; it requires confirm: true')
  readonly confirm!: true;
}

class NotReprocessed {
  @Open()
  readonly id!: string;

  @Open({ enum: QUARANTINE_REASONS, nullable: true, description: 'Null: `detail` is a sentence' })
  readonly reason!: QuarantineReason | null;

  @Open({ description: 'Detail of the reason, or why the entry cannot be read again' })
  readonly detail!: string;
}

export class ReprocessedEntries {
  @Open({ type: 'integer', description: 'Entries that became notifications' })
  readonly stored!: number;

  @Open({ type: 'integer', description: 'Entries whose notification was stored already' })
  readonly repeated!: number;

  @Open({ type: [NotReprocessed], description: 'Entries that stay as they are' })
  readonly failed!: readonly NotReprocessed[];

  @Open({
    type: String,
    nullable: true,
    description: 'Value of `after` for the next request; null: none is left',
  })
  readonly next!: string | null;
}

export class Discard {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_NOTE_LENGTH,
    description: 'Reason for discarding the entry; it is stored',
  })
  @Must(isNote, `note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`)
  readonly note!: string;
}
