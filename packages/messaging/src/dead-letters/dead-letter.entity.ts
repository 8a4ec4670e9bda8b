import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { ReasonCode } from '@gondola/shared/outcomes/reason-codes';
import type { TopicName } from '@gondola/shared/topics/topics';

/** A record that could not be handled, byte for byte; without its content if it concerns an erased order. */
@Entity('dead_letters')
@Index('dead_letters_dead_at', ['deadAt', 'id'])
@Index('dead_letters_orders', ['orderNumbers'], { type: 'gin' })
export class DeadLetterEntity {
  /** `<group>/<full topic>/<partition>/<offset>`. */
  @PrimaryColumn({ type: 'text' })
  id!: string;

  @Column({ name: 'consumer_group', type: 'text' })
  group!: string;

  /** The topic's name in the catalog, without prefix. */
  @Column({ type: 'text' })
  topic!: TopicName;

  @Column({ type: 'integer' })
  partition!: number;

  @Column({ name: 'record_offset', type: 'bigint' })
  offset!: string;

  /** When key, value and headers were erased; null if they are stored. */
  @Column({ name: 'content_erased_at', type: 'timestamptz', nullable: true })
  contentErasedAt!: Date | null;

  @Column({ type: 'bytea', nullable: true })
  key!: Buffer | null;

  @Column({ type: 'bytea', nullable: true })
  value!: Buffer | null;

  /** Written by `headersToText`. */
  @Column({ type: 'text' })
  headers!: string;

  @Column({ type: 'text', nullable: true })
  tenant!: string | null;

  @Column({ name: 'reason_code', type: 'text' })
  code!: ReasonCode;

  @Column({ type: 'text' })
  reason!: string;

  /** Numbers of the orders that the record names; null if those are too many, or if an earlier version stored it. */
  @Column({ name: 'order_numbers', type: 'text', array: true, nullable: true })
  orderNumbers!: string[] | null;

  @Column({ name: 'dead_at', type: 'timestamptz', default: () => 'now()' })
  deadAt!: Date;

  /** Number of redrives. */
  @Column({ type: 'integer', default: 0 })
  redriven!: number;

  @Column({ name: 'redriven_at', type: 'timestamptz', nullable: true })
  redrivenAt!: Date | null;
}
