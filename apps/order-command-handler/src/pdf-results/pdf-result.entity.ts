import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** Result of file-gateway for the PDF of an invoice command. Never changed, and deleted before its command. */
@Entity('pdf_results')
@Unique('pdf_results_result_id_key', ['resultId'])
@Index('pdf_results_of_command', ['tenant', 'parentCommandId', 'id'])
@Index('pdf_results_received', ['receivedAt'])
export class PdfResultEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'result_id', type: 'text' })
  resultId!: string;

  @Column({ name: 'parent_command_id', type: 'text' })
  parentCommandId!: string;

  /** The record's value as received. */
  @Column({ type: 'bytea' })
  value!: Buffer;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'now()' })
  receivedAt!: Date;
}
