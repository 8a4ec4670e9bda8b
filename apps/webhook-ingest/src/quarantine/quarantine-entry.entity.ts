import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiSchema } from '@gondola/service-kit/http/api-docs';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique, VirtualColumn } from 'typeorm';
import { QUARANTINE_REASONS, type QuarantineReason } from '../notifications/read-notification.ts';

/** `open`: not decided yet. */
export const QUARANTINE_STATES = ['open', 'reprocessed', 'discarded'] as const;
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/**
 * A body that a known sender delivered and the app did not understand. Its documented fields are those that operators
 * see, and that a query selects by default.
 */
@Entity('quarantine')
@ApiSchema({ name: 'QuarantineEntry' })
@Unique('quarantine_dedup_key_key', ['dedupKey'])
@Check('quarantine_state_check', `state IN ('open', 'reprocessed', 'discarded')`)
@Check('quarantine_body_until_settled', `body IS NOT NULL OR (erased_at IS NOT NULL AND state <> 'open')`)
@Index('quarantine_open', ['tenant', 'reason'], { where: `state = 'open'` })
@Index('quarantine_causes', ['tenant', 'reason', 'detail', 'receivedAt'], { where: `state = 'open'` })
@Index('quarantine_waiting', ['id'], { where: `state = 'open'` })
@Index('quarantine_settled', ['tenant', 'receivedAt'], { where: `state <> 'open'` })
@Index('quarantine_unread', ['id'], { where: 'NOT subject_read' })
@Index('quarantine_subject', ['tenant', 'subject'], { where: 'subject IS NOT NULL' })
export class QuarantineEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @Open()
  id!: string;

  @Column({ name: 'dedup_key', type: 'text', select: false })
  dedupKey!: string;

  @Column({ type: 'text' })
  @Open()
  tenant!: string;

  @Column({ type: 'text' })
  @Open({ enum: QUARANTINE_REASONS })
  reason!: QuarantineReason;

  @Column({ type: 'text' })
  @Open({ description: 'A field’s name or a code, never a value' })
  detail!: string;

  /**
   * The bytes received; null once they are erased. They may hold personal data, so a query selects this column
   * explicitly.
   */
  @Column({ type: 'bytea', nullable: true, select: false })
  body!: Buffer | null;

  @Column({ type: 'text', select: false })
  traceparent!: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  @Open()
  receivedAt!: Date;

  /** Length of the body before it was erased, in bytes. */
  @Column({ name: 'erased_bytes', type: 'integer', nullable: true, select: false })
  erasedBytes!: number | null;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  @Open({ type: Date, nullable: true })
  bodyErasedAt!: Date | null;

  @Column({ type: 'text', default: 'open' })
  @Open({ enum: QUARANTINE_STATES })
  state!: QuarantineState;

  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true })
  @Open({ type: Date, nullable: true })
  settledAt!: Date | null;

  /** Reason for discarding the entry. */
  @Column({ type: 'text', nullable: true })
  @Personal({ type: String, nullable: true, description: 'Reason for discarding the entry' })
  note!: string | null;

  @Column({ name: 'acted_by', type: 'text', nullable: true })
  @Open({
    type: String,
    nullable: true,
    description: 'Operator who had it read again or discarded it, if named',
  })
  actedBy!: string | null;

  /** Order that the body concerns, as far as the body names one. */
  @Column({ type: 'text', nullable: true, select: false })
  subject!: string | null;

  /** True once the body was searched for an order. */
  @Column({ name: 'subject_read', type: 'boolean', default: false, select: false })
  subjectRead!: boolean;

  /** Length of the body in bytes; still set after the body is erased. */
  @VirtualColumn({ type: 'integer', query: (row) => `coalesce(length(${row}.body), ${row}.erased_bytes, 0)` })
  @Open({
    type: 'integer',
    description: 'Length of the content in bytes; still set after the content is erased',
  })
  bytes!: number;
}
