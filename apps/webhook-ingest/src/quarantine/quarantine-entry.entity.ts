import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique, VirtualColumn } from 'typeorm';
import type { QuarantineReason } from '../notifications/read-notification.ts';

/** `open`: nobody has decided yet. */
export const QUARANTINE_STATES = ['open', 'reprocessed', 'discarded'] as const;
export type QuarantineState = (typeof QUARANTINE_STATES)[number];

/** What a known sender delivered and nobody could understand. */
@Entity('quarantine')
@Unique('quarantine_dedup_key_key', ['dedupKey'])
@Check('quarantine_state_check', `state IN ('open', 'reprocessed', 'discarded')`)
@Check('quarantine_body_until_settled', `body IS NOT NULL OR (erased_at IS NOT NULL AND state <> 'open')`)
@Index('quarantine_open', ['tenant', 'reason'], { where: `state = 'open'` })
@Index('quarantine_settled', ['tenant', 'receivedAt'], { where: `state <> 'open'` })
@Index('quarantine_unread', ['id'], { where: 'NOT subject_read' })
@Index('quarantine_subject', ['tenant', 'subject'], { where: 'subject IS NOT NULL' })
export class QuarantineEntryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  dedupKey!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ type: 'text' })
  reason!: QuarantineReason;

  @Column({ type: 'text' })
  detail!: string;

  /** The bytes received, null once they are erased. Personal data, so a query names it where it needs it. */
  @Column({ type: 'bytea', nullable: true, select: false })
  body!: Buffer | null;

  @Column({ type: 'text' })
  traceparent!: string;

  @Column({ name: 'received_at', type: 'timestamptz' })
  receivedAt!: Date;

  /** Length of the body before it was erased. */
  @Column({ name: 'erased_bytes', type: 'integer', nullable: true })
  erasedBytes!: number | null;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  bodyErasedAt!: Date | null;

  @Column({ type: 'text', default: 'open' })
  state!: QuarantineState;

  @Column({ name: 'settled_at', type: 'timestamptz', nullable: true })
  settledAt!: Date | null;

  /** Why it was discarded. */
  @Column({ type: 'text', nullable: true })
  note!: string | null;

  /** The order that the body is about, as far as it says one. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  /** Whether the body was searched for an order. */
  @Column({ name: 'subject_read', type: 'boolean', default: false })
  subjectRead!: boolean;

  /** Length of the body, also after it was erased. */
  @VirtualColumn({ type: 'integer', query: (row) => `coalesce(length(${row}.body), ${row}.erased_bytes, 0)` })
  bytes!: number;
}
