import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';
import { CountedRows } from '@gondola/service-kit/http/counted.dto';
import {
  isNote,
  MAX_NOTE_LENGTH,
  Must,
  QueryParameter,
  WholeNumberParameter,
} from '@gondola/service-kit/http/request-fields';
import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import { TOPIC_NAMES, type TopicName, withShadows } from '@gondola/shared/topics/topics';

/** `open`: it waits for an operator, and does so again when its redriven record has failed again. */
export const LETTER_STATES = ['open', 'redriven', 'discarded'] as const;
export type LetterState = (typeof LETTER_STATES)[number];

const MAX_LIMIT = 200;
export const DEFAULT_LIMIT = 50;

/** Which dead letters are wanted. */
export class DeadLettersQuery {
  @QueryParameter('Name of a topic, without its prefix', withShadows(TOPIC_NAMES, true))
  readonly topic?: TopicName;

  @QueryParameter('Only dead letters of this tenant')
  readonly tenant?: string;

  @QueryParameter('Only dead letters with this reason code')
  readonly reason?: string;

  @QueryParameter('open: it waits for an operator', LETTER_STATES)
  readonly state?: LetterState;

  @QueryParameter('Returns only dead letters older than the one with this id')
  readonly before?: string;

  @WholeNumberParameter('Maximum number of dead letters', { minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })
  readonly limit?: string;
}

export class DeadLetterGroupsQuery {
  @QueryParameter('Only dead letters of this tenant')
  readonly tenant?: string;
}

export class DeadLetterBodyQuery {
  @QueryParameter('true returns the content too, which is logged', ['true', 'false'])
  readonly body?: 'true' | 'false';
}

const NONE = 'Size in bytes; null if the record has none';
const ON_REQUEST = 'Only with `body=true`';

/** Bytes as base64, and as text if they are UTF-8. */
export class Bytes {
  @Personal()
  readonly base64!: string;

  @Personal({ type: String, nullable: true, description: 'The bytes as text; null if they are not UTF-8' })
  readonly text!: string | null;
}

/** A dead letter without its content. */
export class DeadLetterSummary {
  @Open({ description: '<group>/<topic>/<partition>/<offset>' })
  readonly id!: string;

  @Open()
  readonly group!: string;

  @Open({ type: String })
  readonly topic!: TopicName;

  @Open({ type: 'integer' })
  readonly partition!: number;

  @Open()
  readonly offset!: string;

  @Open({ type: String, nullable: true })
  readonly tenant!: string | null;

  @Open({ type: String })
  readonly code!: ReasonCode;

  @Open()
  readonly reason!: string;

  @Open({ description: 'When the record failed first' })
  readonly deadAt!: Date;

  @Open({ enum: LETTER_STATES, description: 'open: it waits for an operator, also after it has failed again' })
  readonly state!: LetterState;

  @Open({ type: 'integer', description: 'How often the record failed: once, and after a redrive' })
  readonly failures!: number;

  @Open()
  readonly lastFailedAt!: Date;

  @Open({ type: 'integer', description: 'Number of times that the record was redriven' })
  readonly redriven!: number;

  @Open({ type: Date, nullable: true })
  readonly redrivenAt!: Date | null;

  @Personal({ type: String, nullable: true, description: 'Why it was discarded' })
  readonly note!: string | null;

  @Open({ type: String, nullable: true, description: 'Operator who last redrove or discarded it, if named' })
  readonly actedBy!: string | null;

  @Open({ type: Date, nullable: true, description: 'When the content was erased with its order' })
  readonly contentErasedAt!: Date | null;
}

class DeadLetterHeader {
  @Personal()
  readonly name!: string;

  @Open({ type: 'integer', nullable: true, description: 'Size in bytes; null if the header has no value' })
  readonly bytes!: number | null;

  @Open({ required: false, type: Bytes, nullable: true, description: ON_REQUEST })
  readonly value?: Bytes | null;
}

/**
 * One dead letter. Key, value and header values come from the producer and may be personal: by default only their
 * sizes and the headers' names are shown, the content only on request.
 */
export class DeadLetter extends DeadLetterSummary {
  @Open({ type: 'integer', nullable: true, description: NONE })
  readonly keyBytes!: number | null;

  @Open({ type: 'integer', nullable: true, description: NONE })
  readonly valueBytes!: number | null;

  @Open({ type: [DeadLetterHeader] })
  readonly headers!: readonly DeadLetterHeader[];

  @Open({ required: false, type: Bytes, nullable: true, description: ON_REQUEST })
  readonly key?: Bytes | null;

  @Open({ required: false, type: Bytes, nullable: true, description: ON_REQUEST })
  readonly value?: Bytes | null;
}

/** A page of dead letters, newest first. */
export class DeadLetterPage {
  @Open({ type: [DeadLetterSummary] })
  readonly deadLetters!: readonly DeadLetterSummary[];

  @Open({
    type: String,
    nullable: true,
    description: 'Value of `before` for the next page; null on the last page',
  })
  readonly next!: string | null;
}

/** Open dead letters of one cause. */
export class DeadLetterGroup extends CountedRows {
  @Open({ type: String, nullable: true })
  readonly tenant!: string | null;

  @Open()
  readonly reason!: string;

  @Open()
  readonly topic!: string;
}

export class DeadLetterGroups {
  @Open({ type: [DeadLetterGroup] })
  readonly groups!: readonly DeadLetterGroup[];
}

export class DiscardRequest {
  @ApiProperty({ minLength: 1, maxLength: MAX_NOTE_LENGTH, description: 'Why it is discarded; it is stored' })
  @Must(isNote, `note is needed: why it is discarded, in ${MAX_NOTE_LENGTH} characters at most`)
  readonly note!: string;
}

export class Redriven {
  @Open()
  readonly id!: string;

  @Open({ type: 'integer', description: 'Number of times that the record was redriven' })
  readonly redriven!: number;
}
