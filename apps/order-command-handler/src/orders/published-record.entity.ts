import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn } from 'typeorm';

import { LaneEntity } from '@gondola/lanes/lanes/lane.entity';

/** An event or a result of an order that was put into the outbox, without its content. Never changed. */
@Entity('published_records')
@Check('published_records_kind_check', `kind IN ('event', 'result')`)
@Index('published_records_lane', ['laneId', 'id'])
export class PublishedRecordEntity {
  /** Rises in the order of publication within an order: its lane is locked when a row is inserted. */
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'lane_id', type: 'bigint' })
  @ForeignKey(() => LaneEntity, { name: 'published_records_lane_id_fkey' })
  laneId!: string;

  @Column({ name: 'published_at', type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'text' })
  kind!: 'event' | 'result';

  /** `ce_id`. */
  @Column({ name: 'record_id', type: 'text' })
  recordId!: string;

  /** Type of the event, or command of the result. */
  @Column({ type: 'text' })
  type!: string;

  /** Revision of an event; of a result, the one in its `revision`. */
  @Column({ type: 'integer', nullable: true })
  revision!: number | null;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** Command of the result, or command that caused the event. */
  @Column({ name: 'command_id', type: 'text', nullable: true })
  commandId!: string | null;

  /** `cause.kind` of an event. */
  @Column({ type: 'text', nullable: true })
  cause!: string | null;

  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  /** True for a result `corrected`; `outcome` is then its `correctedOutcome`. */
  @Column({ name: 'is_correction', type: 'boolean' })
  isCorrection!: boolean;

  @Column({ name: 'reason_code', type: 'text', nullable: true })
  reasonCode!: string | null;

  @Column({ type: 'text', nullable: true })
  evidence!: string | null;
}
