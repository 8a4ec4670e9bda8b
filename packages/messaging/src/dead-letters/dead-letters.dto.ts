import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

const NONE = 'null where the record has none';
const ON_REQUEST = 'Only with `body=true`';

/** Bytes for people (`text`, where they are UTF-8) and for programs. */
export class Bytes {
  @ApiProperty()
  readonly base64!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Where they are UTF-8' })
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

  @ApiProperty()
  readonly deadAt!: Date;

  @ApiProperty({ type: 'integer', description: 'How often it was sent back' })
  readonly redriven!: number;

  @ApiProperty({ type: Date, nullable: true })
  readonly redrivenAt!: Date | null;

  @ApiProperty({ type: Date, nullable: true, description: 'Since when its content is erased, with its order' })
  readonly contentErasedAt!: Date | null;
}

class DeadLetterHeader {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null where the header has no value' })
  readonly bytes!: number | null;

  @ApiPropertyOptional({ type: Bytes, nullable: true, description: ON_REQUEST })
  readonly value?: Bytes | null;
}

/**
 * One dead letter. Key, value and headers are the writer's and may be personal: only how long they are, and headers'
 * names; with the content where it was asked for.
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

/** A page of dead letters, the newest first. */
export class DeadLetterPage {
  @ApiProperty({ type: [DeadLetterSummary] })
  readonly deadLetters!: readonly DeadLetterSummary[];

  @ApiProperty({ type: String, nullable: true, description: 'To be given as `before` for the next page' })
  readonly next!: string | null;
}

/** The answer to a redrive. */
export class Redriven {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty({ type: 'integer', description: 'How often it was sent back' })
  readonly redriven!: number;
}
