import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';

import { LaneEntity } from '@gondola/lanes/lanes/lane.entity';

import type { OpenSteps } from './order-row.ts';
import type { OrderWatch } from './order-row.ts';
import type { UnconfirmedCommand } from './order-row.ts';
import type { OrderParts, PublishedState } from './published-state.ts';

/**
 * Published state of an order, and its last known status. Written and read by the
 * statements of `orders.repository.ts`.
 */
@Entity('orders')
@Unique('orders_tenant_order_number_key', ['tenant', 'orderNumber'])
@Index('orders_attention', ['tenant'], { where: 'attention IS NOT NULL' })
// And by the number's value, which only the migration says.
@Index('orders_number', ['tenant'], { where: `order_number ~ '^[0-9]{1,15}$'` })
@Index('orders_awaiting_skus', ['awaitedSkus'], { type: 'gin', where: 'awaited_skus IS NOT NULL' })
@Index('orders_to_look_at', ['tenant', 'lookAt'], { where: 'look_at IS NOT NULL' })
// And by the number of reads, which only the migration says.
@Index('orders_fewest_looks', ['tenant', 'lookAt'], { where: 'look_at IS NOT NULL' })
@Index('orders_given_up', ['tenant', 'laneId'], { where: 'look_at IS NULL AND looks > 0' })
@Index('orders_in_doubt', ['tenant', 'lookAt'], { where: 'looks < 0' })
@Index('orders_newest', ['tenant', 'laneId'])
@Index('orders_status', ['tenant', 'status', 'laneId'])
// By patterns, which only the migration says.
@Index('orders_number_prefix', ['tenant', 'orderNumber'])
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

  /** Time since which `status` is known, by the database's clock. */
  @Column({ name: 'status_since', type: 'timestamptz', default: () => 'clock_timestamp()' })
  statusSince!: Date;

  /** Revision of the last published event; 0 before the first. */
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

  /** `unconfirmed` commands without a correction. */
  @Column({ type: 'json', nullable: true })
  unconfirmed!: readonly UnconfirmedCommand[] | null;

  /** Reads of an order whose notification may be lost: time of the last one, and their number. */
  @Column({ type: 'json', nullable: true })
  watch!: OrderWatch | null;

  /** Published attention of the order; null for none. */
  @Column({ type: 'json', nullable: true })
  attention!: PublishedState['attention'] | null;

  /** Steps that commands have started at the platform and that are not finished. */
  @Column({ name: 'open_steps', type: 'json', nullable: true })
  openSteps!: OpenSteps | null;

  /** SKUs that were unknown when the order was published; null for none. */
  @Column({ name: 'awaited_skus', type: 'text', array: true, nullable: true })
  awaitedSkus!: string[] | null;

  /** Id of a fact: of the facts up to it, a step loads only those of `foldedFacts`. */
  @Column({ name: 'folded_up_to', type: 'bigint', default: 0 })
  foldedUpTo!: string;

  /** Operations of concluded commands, oldest first. */
  @Column({ name: 'past_operations', type: 'text', array: true, default: () => "'{}'" })
  pastOperations!: readonly string[];

  @Column({ name: 'folded_facts', type: 'bigint', array: true, default: () => "'{}'" })
  foldedFacts!: readonly string[];

  /**
   * When recovery looks whether notifications of the order were lost; null for never, until it is heard of: with
   * `looks` above 0 it is given up.
   */
  @Column({ name: 'look_at', type: 'timestamptz', nullable: true, default: () => 'now()' })
  lookAt!: Date | null;

  /** Reads of the order since it was last heard of; negative for one in doubt, -1 before its first read. */
  @Column({ type: 'integer', default: 0 })
  looks!: number;
}
