import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

import type { TopicName } from '@gondola/shared/topics/topics';

/** A record that waits for the relay or is parked. Read and written by SQL text alone. */
@Entity('outbox')
@Check('outbox_check', '(parked_at IS NULL) = (parked_reason IS NULL)')
@Index('outbox_parked', ['seq'], { where: 'parked_at IS NOT NULL' })
export class OutboxEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq!: string;

  @Column({ type: 'text' })
  topic!: TopicName;

  @Column({ type: 'bytea', nullable: true })
  key!: Buffer | null;

  @Column({ type: 'text' })
  headers!: string;

  @Column({ type: 'bytea', nullable: true })
  value!: Buffer | null;

  /** Size of the record, for the limits of the relay's batches. */
  @Column({ type: 'integer' })
  bytes!: number;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ name: 'parked_at', type: 'timestamptz', nullable: true })
  parkedAt!: Date | null;

  @Column({ name: 'parked_reason', type: 'text', nullable: true })
  parkedReason!: string | null;
}
