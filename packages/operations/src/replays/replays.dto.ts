import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { isTextOf, Must, QueryParameter, TimeParameter } from '@gondola/service-kit/http/request-fields';
import type { Replay, ReplayPlace } from '@gondola/lanes/replays/replays';
import { REPLAYED_TOPICS } from '@gondola/shared/topics/replayed-topics';

const MOST_PER_SECOND = 5_000;
const MOST_TENANT = 500;
const ORDER_NUMBER = '^[1-9]\\d{0,14}$';
/** Kafka's form of a name, with room for a prefix. */
const TOPIC_NAME = '^[A-Za-z0-9._-]{1,200}$';
const SINCE = 'Only records that were published at or after this time';
const TIME = { type: String, format: 'date-time' } as const;
const TEXT_OR_NULL = { type: String, nullable: true } as const;
const WHOLE = { type: 'integer' } as const;

/** Published records that are to be published again. */
export class ReplayRequest {
  @ApiProperty({ pattern: TOPIC_NAME, description: 'Topic that this app publishes, without its prefix' })
  @Must((name) => isOf(TOPIC_NAME, name), 'topic is the name of a topic, without its prefix')
  readonly topic!: string;

  @ApiProperty({ ...TIME, required: true, description: SINCE })
  @Must((time) => time !== undefined, 'since is the time from which on records are published again')
  @TimeParameter(SINCE)
  readonly since!: string;

  @ApiPropertyOptional({ maxLength: MOST_TENANT, description: 'Only records of this tenant' })
  @Must((id) => id === undefined || isTextOf(id, { most: MOST_TENANT }), 'tenant is the id of a tenant')
  readonly tenant?: string;

  @ApiPropertyOptional({ pattern: ORDER_NUMBER, description: 'Only records about this order' })
  @Must((number) => number === undefined || isOf(ORDER_NUMBER, number), 'orderNumber is the number of an order')
  readonly orderNumber?: string;

  @ApiPropertyOptional({ pattern: TOPIC_NAME, description: 'Topic that gets the records instead, without its prefix' })
  @Must((name) => name === undefined || isOf(TOPIC_NAME, name), 'to is the name of a topic, without its prefix')
  readonly to?: string;

  @ApiPropertyOptional({ ...WHOLE, minimum: 1, maximum: MOST_PER_SECOND, default: 200 })
  @Must(
    (pace) => Number.isInteger(pace) && Number(pace) >= 1 && Number(pace) <= MOST_PER_SECOND,
    `perSecond is a whole number from 1 to ${MOST_PER_SECOND}`,
  )
  readonly perSecond: number = 200;
}

export class ReplaysQuery extends PageQuery {
  @QueryParameter('Only replays of records of this tenant alone')
  readonly tenant?: string;
}

/** Names the tenant of a replay; one of another tenant, or of all, is then not found. */
export class ReplayQuery {
  @QueryParameter('Tenant of the replay')
  readonly tenant?: string;
}

/** A replay and its progress. */
export class ShownReplay {
  @Open()
  readonly id!: string;

  @Open({ enum: REPLAYED_TOPICS.map(({ topic }) => topic) })
  readonly topic!: string;

  @Open({ description: 'Topic that gets the records' })
  readonly to!: string;

  @Open(TEXT_OR_NULL)
  readonly tenant!: string | null;

  @Open(TEXT_OR_NULL)
  readonly orderNumber!: string | null;

  @Open(TIME)
  readonly since!: Date;

  @Open(WHOLE)
  readonly perSecond!: number;

  @Open({ ...TEXT_OR_NULL, description: 'Operator who asked for it, if named' })
  readonly requestedBy!: string | null;

  @Open({ enum: ['running', 'stopped', 'finished'] })
  readonly state!: 'running' | 'stopped' | 'finished';

  @Open({ ...WHOLE, description: 'Places of the topic that it has looked at' })
  readonly read!: number;

  @Open({ ...WHOLE, description: 'Places of the topic that it looks at in all' })
  readonly toRead!: number;

  @Open({ ...WHOLE, description: 'Records that were published again' })
  readonly sent!: number;

  @Open({ ...WHOLE, description: 'Records left out since their order is erased' })
  readonly erased!: number;

  @Open({ ...WHOLE, description: 'Snapshots left out since a newer one of their SKU was published' })
  readonly superseded!: number;

  @Open({ ...WHOLE, description: 'Records that the topic does not take as they are' })
  readonly refused!: number;

  @Open({ ...TIME, nullable: true, description: 'What was published before may be missing: Kafka has deleted it' })
  readonly missingBefore!: string | null;

  @Open({ ...TEXT_OR_NULL, description: 'Code of what it waits for, until the next try' })
  readonly problem!: string | null;

  @Open(TIME)
  readonly startedAt!: Date;

  @Open({ ...TIME, nullable: true })
  readonly finishedAt!: Date | null;
}

export function shownReplay({
  progress: { places, ...counts },
  target: to,
  isStopped,
  ...replay
}: Replay): ShownReplay {
  const open = isStopped ? 'stopped' : 'running';
  const between = (until: 'next' | 'end') =>
    Number(places.reduce((all, place: ReplayPlace) => all + BigInt(place[until]) - BigInt(place.from), 0n));
  return {
    ...replay,
    ...counts,
    to,
    state: replay.finishedAt === null ? open : 'finished',
    read: between('next'),
    toRead: between('end'),
  };
}

function isOf(pattern: string, text: unknown): boolean {
  return typeof text === 'string' && new RegExp(pattern).test(text);
}
