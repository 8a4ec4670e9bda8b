import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { CountedRows } from '@gondola/service-kit/http/counted.dto';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { Must, QueryParameter } from '@gondola/service-kit/http/request-fields';

/** Selects parked records. */
export class ParkedQuery extends PageQuery {
  @QueryParameter('Only records of this tenant')
  readonly tenant?: string;

  @QueryParameter('Only records for this topic, named without its prefix')
  readonly topic?: string;

  @QueryParameter('Only records with this code of Kafka')
  readonly reason?: string;
}

export class ParkedGroupsQuery {
  @QueryParameter('Only records of this tenant')
  readonly tenant?: string;
}

/** A record that Kafka does not accept as it is, without its content. */
export class ParkedRecord {
  @Open()
  readonly id!: string;

  @Open({ type: String, nullable: true })
  readonly tenant!: string | null;

  @Open()
  readonly topic!: string;

  @Open({ description: 'Kafka’s name of its reason, such as MESSAGE_TOO_LARGE' })
  readonly reason!: string;

  @Open({ description: 'When Kafka refused it last' })
  readonly parkedAt!: Date;

  @Open()
  readonly storedAt!: Date;

  @Open({ type: 'integer', description: 'Size in bytes' })
  readonly bytes!: number;

  @Open({
    type: String,
    nullable: true,
    description: 'Type of the record, such as OrderChanged; null if foreign',
  })
  readonly type!: string | null;

  @Open({
    type: String,
    nullable: true,
    description: 'Kind and identity of its entity, such as order/100234; null without one, or if the record is foreign',
  })
  readonly subject!: string | null;
}

/** Parked records of one cause. */
export class ParkedGroup extends CountedRows {
  @Open({ type: String, nullable: true })
  readonly tenant!: string | null;

  @Open()
  readonly reason!: string;

  @Open()
  readonly topic!: string;
}

export class ParkedGroups {
  @Open({ type: [ParkedGroup] })
  readonly groups!: readonly ParkedGroup[];
}

const isText = (value: unknown): boolean => value === undefined || (typeof value === 'string' && value !== '');

/** Parked records to release. */
export class ReleaseRequest {
  @ApiPropertyOptional({ minLength: 1, description: 'Only records of this tenant' })
  @Must(isText, 'tenant is the id of a tenant')
  readonly tenant?: string;

  @ApiPropertyOptional({ minLength: 1, description: 'Only records for this topic, named without its prefix' })
  @Must(isText, 'topic is the name of a topic, without its prefix')
  readonly topic?: string;

  @ApiPropertyOptional({ minLength: 1, description: 'Only records with this code of Kafka' })
  @Must(isText, 'reason is a code of Kafka, such as MESSAGE_TOO_LARGE')
  readonly reason?: string;

  @ApiProperty({ enum: [true], description: 'Required, since what is released is published' })
  @Must((confirm) => confirm === true, 'What is released is published; it requires confirm: true')
  readonly confirm!: true;
}

export class ReleasedRecords {
  @Open({ type: 'integer', description: 'Records that wait for Kafka again' })
  readonly released!: number;

  @Open({ description: 'True if more match: repeat the request' })
  readonly isMore!: boolean;
}

export class ReleasedRecord {
  @Open()
  readonly id!: string;

  @Open()
  readonly topic!: string;
}
