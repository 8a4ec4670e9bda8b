import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { CountedRows } from '@gondola/service-kit/http/counted.dto';
import { Must } from '@gondola/service-kit/http/request-fields';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

/** `open`: it waits for an operator, and does so again when its redriven record has failed again. */
export const LETTER_STATES = ['open', 'redriven', 'discarded'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

const NONE = 'Size in bytes; null if the record has none';
const ON_REQUEST = 'Only with `body=true`';

/** Bytes as base64, and as text if they are UTF-8. */
export class Bytes {
  @ApiProperty()
  readonly base64!: string;

  @ApiProperty({ type: String, nullable: true, description: 'The bytes as text; null if they are not UTF-8' })
  readonly text!: string | null;
}

/** A dead letter without its content. */
export class DeadLetterSummary {
  @ApiProperty({ description: '<group>/<topic>/<partition>/<offset>' })
  readonly id!: string;

  @ApiProperty()
  readonly group!: string;

  @ApiProperty({ type: String })
  readonly topic!: TopicName;

  @ApiProperty({ type: 'integer' })
  readonly partition!: number;

  @ApiProperty()
  readonly offset!: string;

  @ApiProperty({ type: String, nullable: true })
  readonly tenant!: string | null;

  @ApiProperty({ type: String })
  readonly code!: ReasonCode;

  @ApiProperty()
  readonly reason!: string;

  @ApiProperty({ description: 'When the record failed first' })
  readonly deadAt!: Date;

  @ApiProperty({ enum: LETTER_STATES, description: 'open: it waits for an operator, also after it has failed again' })
  readonly state!: LetterState;

  @ApiProperty({ type: 'integer', description: 'How often the record failed: once, and after a redrive' })
  readonly failures!: number;

  @ApiProperty()
  readonly lastFailedAt!: Date;

  @ApiProperty({ type: 'integer', description: 'Number of times that the record was redriven' })
  readonly redriven!: number;

  @ApiProperty({ type: Date, nullable: true })
  readonly redrivenAt!: Date | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it was discarded' })
  readonly note!: string | null;

  @ApiProperty({ type: String, nullable: true, description: 'Operator who last redrove or discarded it, if named' })
  readonly actedBy!: string | null;

  @ApiProperty({ type: Date, nullable: true, description: 'When the content was erased with its order' })
  readonly contentErasedAt!: Date | null;
}

class DeadLetterHeader {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Size in bytes; null if the header has no value' })
  readonly bytes!: number | null;

  @ApiPropertyOptional({ type: Bytes, nullable: true, description: ON_REQUEST })
  readonly value?: Bytes | null;
}

/**
 * One dead letter. Key, value and header values come from the producer and may be personal: by default only their
 * sizes and the headers' names are shown, the content only on request.
 */
export class DeadLetter extends DeadLetterSummary {
  @ApiProperty({ type: 'integer', nullable: true, description: NONE })
  readonly keyBytes!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: NONE })
  readonly valueBytes!: number | null;

  @ApiProperty({ type: [DeadLetterHeader] })
  readonly headers!: readonly DeadLetterHeader[];

  @ApiPropertyOptional({ type: Bytes, nullable: true, description: ON_REQUEST })
  readonly key?: Bytes | null;

  @ApiPropertyOptional({ type: Bytes, nullable: true, description: ON_REQUEST })
  readonly value?: Bytes | null;
}

/** A page of dead letters, newest first. */
export class DeadLetterPage {
  @ApiProperty({ type: [DeadLetterSummary] })
  readonly deadLetters!: readonly DeadLetterSummary[];

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Value of `before` for the next page; null on the last page',
  })
  readonly next!: string | null;
}

/** Open dead letters of one cause. */
export class DeadLetterGroup extends CountedRows {
  @ApiProperty({ type: String, nullable: true })
  readonly tenant!: string | null;

  @ApiProperty()
  readonly reason!: string;

  @ApiProperty()
  readonly topic!: string;
}

export class DeadLetterGroups {
  @ApiProperty({ type: [DeadLetterGroup] })
  readonly groups!: readonly DeadLetterGroup[];
}

const MAX_NOTE_LENGTH = 500;

export class DiscardRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_NOTE_LENGTH, description: 'Why it is discarded; it is stored' })
  @Must(isNote, `note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`)
  readonly note!: string;
}

export class Redriven {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ type: 'integer', description: 'Number of times that the record was redriven' })
  readonly redriven!: number;
}

function isNote(value: unknown): boolean {
  const note = typeof value === 'string' ? value.trim() : '';
  return note !== '' && note.length <= MAX_NOTE_LENGTH && !note.includes('\0');
}
