import { ErasureRequest, TopicWithCopies } from '@gondola/operations/erasures/erasures.dto';
import { Must } from '@gondola/service-kit/http/request-fields';
import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, PickType } from '@gondola/service-kit/http/api-docs';
import { ErasureEntity } from './erasure.entity.ts';

/** A request to erase all content received about a shopper. */
export class UserErasureRequest extends PickType(ErasureRequest, ['tenant', 'confirm']) {
  @ApiProperty({ format: 'email' })
  @Must((value) => typeof value === 'string' && /^[^\s@]+@[^\s@]+$/.test(value), 'email is an e-mail address')
  readonly email!: string;
}

/** Answer to a request, with the time until which Kafka has copies. */
export class AnsweredErasure extends ErasureEntity {
  @Open({
    type: [TopicWithCopies],
    nullable: true,
    description: 'Topics with copies; null if Kafka did not answer',
  })
  readonly topics!: readonly TopicWithCopies[] | null;
}
