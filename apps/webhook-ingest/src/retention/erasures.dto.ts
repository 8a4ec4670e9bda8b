import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { orderNumberText } from '@gondola/shared/topics/identities';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { Allow, Equals } from 'class-validator';
import { ErasureEntity } from './erasure.entity.ts';
import { SHOWN_FIELDS } from './erasures.repository.ts';

export class ErasuresQuery extends PageQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;
}

/** A request to erase what was received about an order. */
export class ErasureRequest {
  @ApiProperty({ type: String })
  @Allow()
  readonly tenant: unknown;

  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }] })
  @Must((value) => orderNumberText(value) !== null, 'orderNumber is the whole number of an order')
  readonly orderNumber: unknown;

  @ApiProperty({ type: Boolean, enum: [true], description: 'It cannot be undone' })
  @Equals(true, { message: 'Erasing cannot be undone; it is done with confirm: true' })
  readonly confirm!: true;
}

/** A request to erase what was received about a shopper. */
export class UserErasureRequest {
  @ApiProperty()
  @Must((value) => typeof value === 'string', 'tenant is needed')
  readonly tenant!: string;

  @ApiProperty({ format: 'email' })
  @Must((value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value), 'email is an e-mail address')
  readonly email!: string;

  @ApiProperty({ enum: [true], description: 'It cannot be undone' })
  @Equals(true, { message: 'Erasing cannot be undone; it is done with confirm: true' })
  readonly confirm!: true;
}

/** The record of a request to erase. */
export class Erasure extends PickType(ErasureEntity, SHOWN_FIELDS) {}

class TopicWithCopies {
  @ApiProperty({ description: 'With its prefix' })
  readonly topic!: string;

  @ApiProperty({ type: String, nullable: true, description: 'By then the last is gone; null: the topic never deletes' })
  readonly until!: string | null;
}

/** The answer to a request: also until when Kafka has copies. */
export class AnsweredErasure extends Erasure {
  @ApiProperty({ type: [TopicWithCopies], nullable: true, description: 'null where Kafka did not say' })
  readonly topics!: readonly TopicWithCopies[] | null;
}
