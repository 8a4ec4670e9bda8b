import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

export const AUDIT_STATES = ['running', 'stopped', 'finished'] as const;

/** A month of a tenant whose orders are compared with the shop. */
@Entity('audits')
@Check('audits_state_check', `state IN ('running', 'stopped', 'finished')`)
@Index('audits_tenant', ['tenant', 'id'])
export class AuditEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  /** `2026-11`, in the platform's zone. */
  @Column({ type: 'text' })
  month!: string;

  @Column({ type: 'text', default: 'running' })
  state!: (typeof AUDIT_STATES)[number];

  /** Its order numbers are stored. */
  @Column({ name: 'is_listed', type: 'boolean', default: false })
  isListed!: boolean;

  /** Numbers in gaps too wide to be read. */
  @Column({ name: 'unread_numbers', type: 'bigint', default: 0 })
  unreadNumbers!: string;

  /** Calls so far. */
  @Column({ type: 'integer', default: 0 })
  reads!: number;

  /** Before this no read is made, on however many replicas. */
  @Column({ name: 'next_read_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  nextReadAt!: Date;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
