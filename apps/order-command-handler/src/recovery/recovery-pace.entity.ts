import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The rate of a tenant's readings, on however many replicas. Written by the statements of `recovery.repository.ts`. */
@Entity('recovery_paces')
export class RecoveryPaceEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  /** Before this no call is made. */
  @Column({ name: 'next_call_at', type: 'timestamptz' })
  nextCallAt!: Date;
}
