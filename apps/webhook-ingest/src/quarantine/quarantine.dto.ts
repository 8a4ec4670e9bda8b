import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { QUARANTINE_REASONS, type QuarantineReason } from '../notifications/read-notification.ts';
import { QUARANTINE_STATES, QuarantineEntryEntity, type QuarantineState } from './quarantine-entry.entity.ts';
import { SHOWN_FIELDS } from './quarantine.repository.ts';

/** Search parameters of the quarantine. */
export class QuarantineQuery extends PageQuery {
  @QueryParameter('Only entries of this tenant')
  readonly tenant?: string;

  @QueryParameter('Only entries with this reason', QUARANTINE_REASONS)
  readonly reason?: QuarantineReason;

  @QueryParameter('open: not settled yet', QUARANTINE_STATES)
  readonly state?: QuarantineState;
}

/** An entry without its content, as shown to operators. */
export class QuarantineEntry extends PickType(QuarantineEntryEntity, SHOWN_FIELDS) {}

export class QuarantineEntryWithBody extends QuarantineEntry {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description: 'Content in base64, only with `body=true`; null if it is erased',
  })
  readonly bodyBase64?: string | null;
}

export class Reprocessed {
  @ApiProperty({ enum: ['stored', 'repeated', 'still-quarantined'] })
  readonly outcome!: 'stored' | 'repeated' | 'still-quarantined';

  @ApiPropertyOptional({ enum: QUARANTINE_REASONS, description: 'Reason, only with the outcome still-quarantined' })
  readonly reason?: QuarantineReason;

  @ApiPropertyOptional({ description: 'Detail of the reason, only with the outcome still-quarantined' })
  readonly detail?: string;
}

const MAX_NOTE_LENGTH = 500;

export class Discard {
  @ApiProperty({
    minLength: 1,
    maxLength: MAX_NOTE_LENGTH,
    description: 'Reason for discarding the entry; it is stored',
  })
  @Must(isNote, `note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`)
  readonly note!: string;
}

function isNote(value: unknown): boolean {
  const note = typeof value === 'string' ? value.trim() : '';
  return note !== '' && note.length <= MAX_NOTE_LENGTH && !note.includes('\0');
}
