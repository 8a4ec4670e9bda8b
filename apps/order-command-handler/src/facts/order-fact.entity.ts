import { Check, Column, Entity, ForeignKey, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

import { LaneEntity } from '@gondola/messaging/lanes/lane.entity';

import type { FactSource } from './order-fact.ts';

/**
 * A fact of an order, unchanged until its personal data is erased. Written and read by the statements of
 * `order-facts.repository.ts`.
 */
@Entity('order_facts')
@Unique('order_facts_dedup_key_key', ['dedupKey'])
@Check('order_facts_source_check', `source IN ('notification', 'read', 'release')`)
@Index('order_facts_lane', ['laneId', 'id'])
@Index('order_facts_to_redact', ['tenant', 'receivedAt'], { where: 'NOT is_redacted' })
export class OrderFactEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'lane_id', type: 'bigint' })
  @ForeignKey(() => LaneEntity, { name: 'order_facts_lane_id_fkey' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'order_number', type: 'text' })
  orderNumber!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  dedupKey!: string;

  @Column({ type: 'text' })
  source!: FactSource;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  @Column({ type: 'boolean' })
  failure!: boolean;

  @Column({ name: 'operation_id', type: 'text', nullable: true })
  operationId!: string | null;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** As the platform writes it. */
  @Column({ name: 'updated_at', type: 'text', nullable: true })
  updatedAt!: string | null;

  /** `updatedAt` in steps of 100 ns, which timestamptz cannot hold. */
  @Column({ name: 'updated_ticks', type: 'bigint', nullable: true })
  ticks!: string | null;

  @Column({ name: 'order_id', type: 'text', nullable: true })
  orderId!: string | null;

  @Column({ name: 'has_items', type: 'boolean' })
  hasItems!: boolean;

  @Column({ type: 'text' })
  hash!: string;

  /** The bytes received. */
  @Column({ type: 'bytea', nullable: true })
  data!: Buffer | null;

  /** The bytes received. */
  @Column({ type: 'bytea', nullable: true })
  error!: Buffer | null;

  @Column({ type: 'text', nullable: true })
  traceparent!: string | null;

  /** True if `data` and `error` hold no personal data, or none any more. */
  @Column({ name: 'is_redacted', type: 'boolean', default: false })
  isRedacted!: boolean;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  receivedAt!: Date;
}
