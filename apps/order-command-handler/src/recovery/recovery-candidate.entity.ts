import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';

import type { RecoveryOutcome } from './recovery.dto.ts';
import { RecoveryRunEntity } from './recovery-run.entity.ts';

/** An order number that no fact names. A gap is a candidate, no proof: unpaid carts have numbers too. */
@Entity('recovery_candidates')
@Check('recovery_candidates_outcome_check', `outcome IN ('found', 'known', 'given-up', 'unreadable')`)
@Index('recovery_candidates_number', ['tenant', 'orderNumber'])
@Index('recovery_candidates_open', ['runId'], { where: 'outcome IS NULL' })
@Index('recovery_candidates_next', ['runId', 'dueAt', 'orderNumber'], { where: 'outcome IS NULL' })
@Index('recovery_candidates_due', ['tenant', 'dueAt', 'orderNumber'], { where: 'outcome IS NULL' })
export class RecoveryCandidateEntity {
  @PrimaryColumn({ name: 'run_id', type: 'bigint' })
  @ForeignKey(() => RecoveryRunEntity, { name: 'recovery_candidates_run_id_fkey' })
  runId!: string;

  @PrimaryColumn({ name: 'order_number', type: 'bigint' })
  orderNumber!: string;

  @Column({ type: 'text' })
  tenant!: string;

  /** Above the newest number that was known then: most such orders do not exist yet. */
  @Column({ type: 'boolean', default: false })
  ahead!: boolean;

  /** Readings that did not find it. */
  @Column({ type: 'integer', default: 0 })
  lookups!: number;

  /** Readings that the platform failed to answer. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** When it is read, again if it was not found. */
  @Column({ name: 'due_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  dueAt!: Date;

  /** Null while it is open. */
  @Column({ type: 'text', nullable: true })
  outcome!: RecoveryOutcome | null;

  @Column({ name: 'concluded_at', type: 'timestamptz', nullable: true })
  concludedAt!: Date | null;
}
