import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty } from '@gondola/service-kit/http/api-docs';

import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { orderNumberText } from '@gondola/shared/topics/identities';

import type { TopicRemains } from '@gondola/kafka/topics/topic-remains';
import type { StoredOn } from '@gondola/lanes/erased-orders/order-content';

const COUNTS = {
  type: 'object',
  additionalProperties: { type: 'integer' },
  description: 'Number of erased rows by kind',
} as const;

export class ErasureRequest {
  @ApiProperty()
  @Must((value) => typeof value === 'string', 'tenant is required')
  readonly tenant!: string;

  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }] })
  @Must((value) => orderNumberText(value) !== null, 'orderNumber must be the whole number of an order')
  readonly orderNumber: unknown;

  @ApiProperty({ enum: [true], description: 'Required, since the erasure cannot be undone' })
  @Must((value) => value === true, 'Erasing cannot be undone; it requires confirm: true')
  readonly confirm!: true;
}

export class ErasuresQuery extends PageQuery {
  @QueryParameter('Returns only erasures of this tenant')
  readonly tenant?: string;
}

class StoredOnContent implements StoredOn {
  @Open()
  readonly what!: string;

  @Open({ type: 'integer' })
  readonly count!: number;

  @Open({ enum: ['fiscal', 'open'] })
  readonly why!: StoredOn['why'];
}

/** A topic that still has copies, which only Kafka deletes. */
export class TopicWithCopies implements TopicRemains {
  @Open({ description: 'Name of the topic with its prefix' })
  readonly topic!: string;

  @Open({
    type: String,
    nullable: true,
    description: 'When Kafka has deleted the last copy; null: the topic never deletes',
  })
  readonly until!: string | null;
}

/** Record of an order's erasure. */
export class ErasureEntry {
  @Open()
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open()
  readonly orderNumber!: string;

  @Open()
  readonly at!: Date;

  @Open(COUNTS)
  readonly erased!: Readonly<Record<string, number>>;
}

/** Answer to a request: the erasure, the content that stays, and the topics with copies. */
export class OrderErasure extends ErasureEntry {
  @Open({ type: [StoredOnContent], description: 'Content that is still stored, and why' })
  readonly stays!: readonly StoredOn[];

  @Open({
    type: [TopicWithCopies],
    nullable: true,
    description: 'Topics with copies; null if Kafka did not answer',
  })
  readonly topics!: readonly TopicRemains[] | null;
}
