import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';

/** A range of a tenant's order numbers whose unknown ones are looked for. */
@Entity('recovery_runs')
@Check('recovery_runs_source_check', `source IN ('operator', 'scan')`)
@Index('recovery_runs_tenant', ['tenant', 'id'])
export class RecoveryRunEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  /** Origin: an operator or a scan. */
  @Column({ type: 'text' })
  source!: 'operator' | 'scan';

  @Column({ name: 'from_number', type: 'bigint' })
  fromNumber!: string;

  /** Inclusive. */
  @Column({ name: 'to_number', type: 'bigint' })
  toNumber!: string;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  startedAt!: Date;

  /** Readings so far. */
  @Column({ type: 'integer', default: 0 })
  lookups!: number;

  @Column({ name: 'last_lookup_at', type: 'timestamptz', nullable: true })
  lastLookupAt!: Date | null;

  /** Every candidate has its outcome. */
  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;
}
