import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { AuditEntity } from './audit.entity.ts';
import type { Difference } from './compare-order.ts';

/** A number that an audit reads, and what was found: figures alone, nothing of a person. */
@Entity('audited_orders')
@Check('audited_orders_outcome_check', `outcome IN ('agrees', 'differs', 'absent', 'outside')`)
@Index('audited_orders_next', ['auditId', 'dueAt', 'orderNumber'], { where: 'outcome IS NULL' })
@Index('audited_orders_differing', ['auditId', 'orderNumber'], { where: `outcome = 'differs'` })
export class AuditedOrderEntity {
  @PrimaryColumn({ name: 'audit_id', type: 'bigint' })
  @ForeignKey(() => AuditEntity, { name: 'audited_orders_audit_id_fkey', onDelete: 'CASCADE' })
  auditId!: string;

  @PrimaryColumn({ name: 'order_number', type: 'bigint' })
  orderNumber!: string;

  /** Null while it is to be read, or read once more. `absent`: no such order; `outside`: of another month. */
  @Column({ type: 'text', nullable: true })
  outcome!: 'agrees' | 'differs' | 'absent' | 'outside' | null;

  /** Reads that found a difference. */
  @Column({ type: 'integer', default: 0 })
  looks!: number;

  /** Reads that the platform failed to answer. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ name: 'due_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  dueAt!: Date;

  @Column({ name: 'is_erased', type: 'boolean', default: false })
  isErased!: boolean;

  @Column({ type: 'json', nullable: true })
  differences!: readonly Difference[] | null;

  @Column({ name: 'shop_cents', type: 'bigint', nullable: true })
  shopCents!: string | null;

  @Column({ name: 'published_cents', type: 'bigint', nullable: true })
  publishedCents!: string | null;

  @Column({ name: 'charged_cents', type: 'bigint', nullable: true })
  chargedCents!: string | null;

  @Column({ name: 'invoiced_cents', type: 'bigint', nullable: true })
  invoicedCents!: string | null;
}
