import { Open } from '@gondola/service-kit/http/answer-fields';
import { Counted } from '@gondola/service-kit/http/counted.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';

import { PlatformPause } from '@gondola/lanes/pauses/pauses.dto';

export class TodayQuery {
  @QueryParameter('Only what is of this tenant; the outbox belongs to all')
  readonly tenant?: string;
}

/** Entities whose next step is due and that no worker has taken. */
export class ReadyQueue extends Counted {
  @Open()
  readonly tenant!: string;

  @Open({ description: 'Kind of entity, such as order, product, price' })
  readonly kind!: string;

  @Open({ description: 'Since when the first one is due' })
  readonly oldestAt!: Date;
}

/** A topic whose records wait because Kafka refuses them for a reason of time, place or rights. */
export class RefusedTopicToday {
  @Open()
  readonly topic!: string;

  @Open({ description: 'Kafka’s name of its reason, such as TOPIC_AUTHORIZATION_FAILED' })
  readonly code!: string;

  @Open()
  readonly since!: Date;
}

export class OutboxToday {
  @Open({ type: 'integer', description: 'Records that wait for Kafka; 100,000 stands for that many or more' })
  readonly waiting!: number;

  @Open({ type: Date, nullable: true, description: 'When the oldest of them was stored' })
  readonly oldestAt!: Date | null;

  @Open({ type: 'integer', description: 'Records that Kafka does not accept as they are (`GET /api/parked`)' })
  readonly parked!: number;

  @Open({ type: [RefusedTopicToday], description: 'Topics that Kafka refuses for now; of this process' })
  readonly refused!: readonly RefusedTopicToday[];
}

/** An entity whose steps fail again and again. */
export class StuckLane {
  @Open()
  readonly tenant!: string;

  @Open({ description: 'Kind of entity, such as order, product, price' })
  readonly kind!: string;

  @Open({ description: 'Number of the order, or reference of the entity' })
  readonly identity!: string;

  @Open({ type: 'integer', description: 'Steps that failed in a row, at least 10; the log has the cause' })
  readonly failures!: number;

  @Open({ type: Date, nullable: true, description: 'When it is tried again' })
  readonly nextTryAt!: Date | null;

  @Open({ type: [String], description: 'The oldest of its open commands or records, at most 20' })
  readonly commandIds!: readonly string[];
}

/** Waiting work of an app, now. */
export class Today {
  @Open({ type: [ReadyQueue] })
  readonly queues!: readonly ReadyQueue[];

  @Open({ type: [StuckLane], description: 'At most 100' })
  readonly stuck!: readonly StuckLane[];

  @Open({ type: OutboxToday })
  readonly outbox!: OutboxToday;

  @Open({ type: [PlatformPause], description: 'Of all replicas, each once' })
  readonly pauses!: readonly PlatformPause[];
}
