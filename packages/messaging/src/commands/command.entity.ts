import { Check, Column, Entity, ForeignKey, Generated, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { FinalOutcome } from '@gondola/shared/outcomes/outcomes';
import type { TopicName } from '@gondola/shared/topics/topics';

import { LaneEntity } from '../lanes/lane.entity.ts';

/** A command in its lane's queue, open or done. Written by the statements of `commands.sql.ts` alone. */
@Entity('commands')
@Unique('commands_tenant_topic_command_id_key', ['tenant', 'topic', 'commandId'])
@Index('commands_open_by_queue', ['laneId', 'queue', 'place'], { where: `state = 'open'` })
@Index('commands_of_load', ['tenant', 'loadId', 'finishedAt', 'outcome'], { where: 'load_id IS NOT NULL' })
@Check('commands_state_check', `state IN ('open', 'done')`)
@Check(
  'commands_check',
  `(state = 'done') = (outcome IS NOT NULL AND result_id IS NOT NULL AND finished_at IS NOT NULL)`,
)
export class CommandEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  /** Rises in the order of arrival within a lane. */
  @Column({ type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  @Generated('increment')
  place!: string;

  @Column({ name: 'lane_id', type: 'bigint' })
  @ForeignKey(() => LaneEntity, { name: 'commands_lane_id_fkey' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ type: 'text' })
  topic!: TopicName;

  @Column({ name: 'command_id', type: 'text' })
  commandId!: string;

  @Column({ type: 'text' })
  command!: string;

  /** Queue within the lane: commands of one queue run one at a time, queues side by side. */
  @Column({ type: 'text', default: 'main', collation: 'C' })
  queue!: string;

  @Column({ name: 'content_hash', type: 'text' })
  contentHash!: string;

  /** The record's value as received; null for a tombstone. */
  @Column({ type: 'bytea', nullable: true })
  value!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'now()' })
  receivedAt!: Date;

  /** The record's own time; null for commands that were stored before this column existed. */
  @Column({ name: 'produced_at', type: 'timestamptz', nullable: true })
  producedAt!: Date | null;

  /** Null if the command belongs to no load. */
  @Column({ name: 'load_id', type: 'text', nullable: true })
  loadId!: string | null;

  /** True once the command has reported what it waits for, until its first attempt. */
  @Column({ name: 'is_waiting', type: 'boolean', default: false })
  isWaiting!: boolean;

  @Column({ type: 'text', default: 'open' })
  state!: 'open' | 'done';

  /** Progress that the app stored between two steps, as JSON. */
  @Column({ type: 'json', nullable: true })
  progress!: unknown;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ name: 'first_sent_at', type: 'timestamptz', nullable: true })
  firstSentAt!: Date | null;

  @Column({ name: 'deadline_at', type: 'timestamptz', nullable: true })
  deadlineAt!: Date | null;

  @Column({ type: 'text', nullable: true })
  outcome!: FinalOutcome | null;

  @Column({ name: 'result_id', type: 'text', nullable: true })
  resultId!: string | null;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
