import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A notification about an operation or an entity of it, without a product report. */
@Entity('operation_reports')
@Unique('operation_reports_dedup_key_key', ['dedupKey'])
@Index('operation_reports_operation', ['tenant', 'operationId'])
@Index('operation_reports_entity', ['tenant', 'kind', 'externalReference'])
@Index('operation_reports_age', ['receivedAt'])
export class OperationReportEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  dedupKey!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  /** Kind of the entity; null if the notification names none. */
  @Column({ type: 'text', nullable: true })
  kind!: string | null;

  @Column({ name: 'external_reference', type: 'text', nullable: true })
  externalReference!: string | null;

  @Column({ type: 'boolean' })
  failed!: boolean;

  /** JSON text; numbers have the platform's digits. */
  @Column({ type: 'text', nullable: true })
  error!: string | null;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  receivedAt!: Date;
}
