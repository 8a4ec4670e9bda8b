import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { ReasonCode } from '@gondola/shared/results/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

/** A record that could not be handled, byte for byte; of one about an erased order what is not personal. */
@Entity('dead_letters')
@Index('dead_letters_dead_at', ['deadAt', 'id'])
export class DeadLetterEntity {
  /** `<group>/<full topic>/<partition>/<offset>`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'consumer_group', type: 'text' })
  group!: string;

  /** The catalog's name, without a prefix. */
  @Column({ type: 'text' })
  topic!: TopicName;

  @Column({ type: 'integer' })
  partition!: number;

  @Column({ name: 'record_offset', type: 'bigint' })
  offset!: string;

  /** Since when key, value and headers are erased; null while they are whole. */
  @Column({ name: 'content_erased_at', type: 'timestamptz', nullable: true })
  contentErasedAt!: Date | null;

  @Column({ type: 'bytea', nullable: true })
  key!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  value!: Buffer | null;

  /** By `headersToText`. */
  @Column({ type: 'text' })
  headers!: string;

  @Column({ type: 'text', nullable: true })
  tenant!: string | null;

  @Column({ name: 'reason_code', type: 'text' })
  code!: ReasonCode;

  @Column({ type: 'text' })
  reason!: string;

  @Column({ name: 'dead_at', type: 'timestamptz', default: () => 'now()' })
  deadAt!: Date;

  /** How often it was sent back. */
  @Column({ type: 'integer', default: 0 })
  redriven!: number;

  @Column({ name: 'redriven_at', type: 'timestamptz', nullable: true })
  redrivenAt!: Date | null;
}
