import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { RegistrationOutcome } from './registration-outcome.ts';

/**
 * An attempt to register a webhook, written down before its call. It holds no token, nor anything made from one. A
 * tenant has one attempt at a time under way: of two at once, the second would take the first one's webhook for
 * somebody else's.
 */
@Entity('webhook_registrations')
@Index('webhook_registrations_under_way', ['tenant'], { unique: true, where: 'finished_at IS NULL' })
export class RegistrationAttemptEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ type: 'text' })
  url!: string;

  @Column({ type: 'text', array: true })
  events!: readonly string[];

  /** The address that asked. */
  @Column({ name: 'requested_from', type: 'text', nullable: true })
  requestedFrom!: string | null;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'now()' })
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  finishedAt!: Date | null;

  /** Null while it is under way, or where its process ended before the outcome was known. */
  @Column({ type: 'text', nullable: true })
  outcome!: RegistrationOutcome | null;

  /** The platform's id of the webhook. */
  @Column({ name: 'platform_id', type: 'text', nullable: true })
  platformId!: string | null;

  @Column({ name: 'platform_message', type: 'text', nullable: true })
  platformMessage!: string | null;
}
