import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { QUARANTINE_REASONS, type QuarantineReason } from '../notifications/read-notification.ts';
import { QUARANTINE_STATES, QuarantineEntryEntity, type QuarantineState } from './quarantine-entry.entity.ts';
import { SHOWN_FIELDS } from './quarantine.repository.ts';

/** What entries of the quarantine are searched by. */
export class QuarantineQuery extends PageQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;

  @QueryParameter('For this reason', QUARANTINE_REASONS)
  readonly reason?: QuarantineReason;

  @QueryParameter('open: not settled yet', QUARANTINE_STATES)
  readonly state?: QuarantineState;
}

/** An entry as operators see it: without its content. */
export class QuarantineEntry extends PickType(QuarantineEntryEntity, SHOWN_FIELDS) {}

export class QuarantineEntryWithBody extends QuarantineEntry {
  @ApiPropertyOptional({ type: String, nullable: true, description: 'With `body=true`; null where it was erased' })
  readonly bodyBase64?: string | null;
}

export class Reprocessed {
  @ApiProperty({ enum: ['stored', 'repeated', 'still-quarantined'] })
  readonly outcome!: 'stored' | 'repeated' | 'still-quarantined';

  @ApiPropertyOptional({ enum: QUARANTINE_REASONS, description: 'Of still-quarantined' })
  readonly reason?: QuarantineReason;

  @ApiPropertyOptional({ description: 'Of still-quarantined' })
  readonly detail?: string;
}

const MAX_NOTE_LENGTH = 500;

export class Discard {
  @ApiProperty({ minLength: 1, maxLength: MAX_NOTE_LENGTH, description: 'Why; it is stored' })
  @Must(isNote, `note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`)
  readonly note!: string;
}

function isNote(value: unknown): boolean {
  const note = typeof value === 'string' ? value.trim() : '';
  return note !== '' && note.length <= MAX_NOTE_LENGTH && !note.includes('\0');
}
