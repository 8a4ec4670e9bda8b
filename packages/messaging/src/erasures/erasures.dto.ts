import { ApiProperty } from '@nestjs/swagger';

import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';
import { orderNumberText } from '@gondola/shared/topics/identities';

import type { TopicRemains } from '../kafka/topic-remains.ts';
import type { StoredOn } from './order-content.ts';

const COUNTS = { type: 'object', additionalProperties: { type: 'integer' }, description: 'How many of what' } as const;

/** The body of `POST /api/erasures`. */
export class ErasureRequest {
  @ApiProperty()
  @Must((value) => typeof value === 'string', 'tenant is needed')
  readonly tenant!: string;

  @ApiProperty({ oneOf: [{ type: 'integer' }, { type: 'string' }] })
  @Must((value) => orderNumberText(value) !== null, 'orderNumber is the whole number of an order')
  readonly orderNumber: unknown;

  @ApiProperty({ enum: [true], description: 'It cannot be undone' })
  @Must((value) => value === true, 'Erasing cannot be undone; it is done with confirm: true')
  readonly confirm!: true;
}

/** The parameters of `GET /api/erasures`. */
export class ErasuresQuery extends PageQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;
}

class StoredOnContent implements StoredOn {
  @ApiProperty()
  readonly what!: string;

  @ApiProperty({ type: 'integer' })
  readonly count!: number;

  @ApiProperty({ enum: ['fiscal', 'open'] })
  readonly why!: StoredOn['why'];
}

/** A topic that still has copies: nobody but Kafka deletes them. */
class TopicWithCopies implements TopicRemains {
  @ApiProperty({ description: 'With its prefix' })
  readonly topic!: string;

  @ApiProperty({ type: String, nullable: true, description: 'By then the last is gone; null: the topic never deletes' })
  readonly until!: string | null;
}

/** That an order was erased. */
export class ErasureEntry {
  @ApiProperty()
  readonly id!: string;

  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly orderNumber!: string;

  @ApiProperty()
  readonly at!: Date;

  @ApiProperty(COUNTS)
  readonly erased!: Readonly<Record<string, number>>;
}

/** The answer to a request: also what stays, and where copies are. */
export class OrderErasure extends ErasureEntry {
  @ApiProperty({ type: [StoredOnContent], description: 'What is stored on, and why' })
  readonly stays!: readonly StoredOn[];

  @ApiProperty({ type: [TopicWithCopies], nullable: true, description: 'null where Kafka did not say' })
  readonly topics!: readonly TopicRemains[] | null;
}
