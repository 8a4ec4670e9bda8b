import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiSchema } from '@gondola/service-kit/http/api-docs';
import { Check, Column, Entity, Index, PrimaryGeneratedColumn, Unique, VirtualColumn } from 'typeorm';
import type { TopicName } from '@gondola/shared/topics/topics';

/**
 * State of a notification. `unpublished`: stored but not published; `parked`: Kafka does not accept it as it is.
 * `untold` is the former name of `unpublished`: requests may have both, and answers have it until the next release.
 */
export const NOTIFICATION_STATES = ['waiting', 'sent', 'parked', 'unpublished', 'untold'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** A notification `n` that the relay still has to publish. */
export const IS_WAITING = 'n.topic IS NOT NULL AND n.sent_at IS NULL AND n.parked_at IS NULL';

/**
 * A notification, which is its own outbox row. Inserted by `notifications.repository.ts`, relayed by
 * `notification-source.repository.ts`, erased and deleted by `retention.repository.ts`. Its documented fields are those
 * that operators see, and that a query selects by default.
 */
@Entity('notifications')
@ApiSchema({ name: 'NotificationEntry' })
@Unique('notifications_dedup_key_key', ['dedupKey'])
@Check(
  'notifications_body_until_sent',
  'body IS NOT NULL OR (erased_at IS NOT NULL AND (sent_at IS NOT NULL OR topic IS NULL OR parked_at IS NOT NULL))',
)
@Index('notifications_unsent', ['id'], { where: 'topic IS NOT NULL AND sent_at IS NULL AND parked_at IS NULL' })
@Index('notifications_parked', ['id'], { where: 'parked_at IS NOT NULL' })
@Index('notifications_tenant', ['tenant', 'id'])
@Index('notifications_untold', ['id'], { where: 'topic IS NULL' })
@Index('notifications_entity', ['partitionKey', 'id'])
@Index('notifications_operation', ['operationId', 'id'])
@Index('notifications_event', ['eventType', 'id'])
@Index('notifications_related', ['relatedEntity', 'id'])
@Index('notifications_bodies', ['tenant', 'receivedAt'], { where: 'body IS NOT NULL' })
@Index('notifications_keys', ['tenant', 'receivedAt'], { where: 'body IS NULL' })
export class NotificationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @Open()
  id!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  @Open()
  dedupKey!: string;

  @Column({ type: 'text' })
  @Open()
  tenant!: string;

  @Column({ name: 'operation_id', type: 'text' })
  @Open()
  operationId!: string;

  @Column({ name: 'event_type', type: 'text' })
  @Open()
  eventType!: string;

  @Column({ name: 'related_entity', type: 'text' })
  @Open()
  relatedEntity!: string;

  /** Null: stored but not published. */
  @Column({ type: 'text', nullable: true })
  @Open({
    type: String,
    nullable: true,
    description: 'Topic that the notification is published to; null: it is not published',
  })
  topic!: TopicName | null;

  @Column({ name: 'partition_key', type: 'text', select: false })
  partitionKey!: string;

  @Column({ type: 'text', nullable: true })
  @Open({ type: String, nullable: true, description: 'Kind and identity, such as order/100234' })
  subject!: string | null;

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

  @Column({ name: 'sent_at', type: 'timestamptz', nullable: true })
  @Open({ type: Date, nullable: true })
  sentAt!: Date | null;

  @Column({ name: 'parked_at', type: 'timestamptz', nullable: true, select: false })
  parkedAt!: Date | null;

  @Column({ name: 'parked_reason', type: 'text', nullable: true })
  @Open({ type: String, nullable: true })
  parkedReason!: string | null;

  /** Length of the body before it was erased, in bytes. */
  @Column({ name: 'erased_bytes', type: 'integer', nullable: true, select: false })
  erasedBytes!: number | null;

  @Column({ name: 'erased_at', type: 'timestamptz', nullable: true })
  @Open({ type: Date, nullable: true })
  bodyErasedAt!: Date | null;

  /** Length of the body in bytes; still set after the body is erased. */
  @VirtualColumn({ type: 'integer', query: (row) => `coalesce(length(${row}.body), ${row}.erased_bytes, 0)` })
  @Open({
    type: 'integer',
    description: 'Length of the content in bytes; still set after the content is erased',
  })
  bytes!: number;

  @VirtualColumn({
    type: 'text',
    query: (row) => `CASE WHEN ${row}.parked_at IS NOT NULL THEN 'parked' WHEN ${row}.topic IS NULL THEN 'untold'
      WHEN ${row}.sent_at IS NULL THEN 'waiting' ELSE 'sent' END`,
  })
  @Open({
    enum: NOTIFICATION_STATES,
    description: 'untold is deprecated: the next release says unpublished in its place',
  })
  state!: NotificationState;
}
