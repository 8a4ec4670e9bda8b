import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { LaneEntity } from '@gondola/messaging/lanes/lane.entity';

import type { OpenSteps } from '../watch/open-steps.ts';
import type { OrderWatch } from '../watch/order-watch.ts';
import type { UnconfirmedCommand } from '../commands/corrections.ts';
import type { OrderParts, PublishedState } from './published-state.ts';

/**
 * What is published of an order, and its last known status. Written and read by the statements of
 * `orders.repository.ts`.
 */
@Entity('orders')
@Unique('orders_tenant_order_number_key', ['tenant', 'orderNumber'])
@Index('orders_attention', ['tenant'], { where: 'attention IS NOT NULL' })
@Index('orders_awaiting_skus', ['tenant'], { where: 'awaited_skus IS NOT NULL' })
@Check('orders_check', 'revision > 0 OR published_status IS NULL')
export class OrderEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  @ForeignKey(() => LaneEntity, { name: 'orders_lane_id_fkey' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'order_number', type: 'text' })
  orderNumber!: string;

  /** The platform's GUID. */
  @Column({ name: 'order_id', type: 'text', nullable: true })
  orderId!: string | null;

  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  /** When `status` became what it is, by the database's clock. */
  @Column({ name: 'status_since', type: 'timestamptz', default: () => 'clock_timestamp()' })
  statusSince!: Date;

  /** Of the last published event; 0 before the first. */
  @Column({ type: 'integer', default: 0 })
  revision!: number;

  @Column({ name: 'published_status', type: 'integer', nullable: true })
  publishedStatus!: number | null;

  @Column({ name: 'published_parts', type: 'json', nullable: true })
  publishedParts!: OrderParts | null;

  @Column({ name: 'published_recalculation', type: 'json', nullable: true })
  publishedRecalculation!: unknown;

  @Column({ name: 'published_at', type: 'timestamptz', nullable: true })
  publishedAt!: Date | null;

  /** Accepted commands that no notification confirms yet. */
  @Column({ type: 'json', nullable: true })
  unconfirmed!: readonly UnconfirmedCommand[] | null;

  /** When an order that waits for what may have been lost was last read, and how often. */
  @Column({ type: 'json', nullable: true })
  watch!: OrderWatch | null;

  /** What the order needs somebody for, as published; null for nothing. */
  @Column({ type: 'json', nullable: true })
  attention!: PublishedState['attention'] | null;

  /** What own commands have begun at the platform and nothing has brought to its end yet. */
  @Column({ name: 'open_steps', type: 'json', nullable: true })
  openSteps!: OpenSteps | null;

  /** The SKUs that were not known when the order was published; null for none. */
  @Column({ name: 'awaited_skus', type: 'text', array: true, nullable: true })
  awaitedSkus!: string[] | null;

  /** Up to this fact a step loads only those of `foldedFacts`. */
  @Column({ name: 'folded_up_to', type: 'bigint', default: 0 })
  foldedUpTo!: string;

  @Column({ name: 'folded_facts', type: 'bigint', array: true, default: () => "'{}'" })
  foldedFacts!: readonly string[];
}
