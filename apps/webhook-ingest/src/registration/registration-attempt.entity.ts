import { Open, Personal } from '@gondola/service-kit/http/answer-fields';
import { ApiSchema } from '@gondola/service-kit/http/api-docs';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { REGISTRATION_OUTCOMES, type RegistrationOutcome } from './registration-outcome.ts';

/**
 * An attempt to register a webhook, stored before its call. It holds neither the token nor anything derived from
 * it. A tenant has at most one attempt in progress: the second of two would mistake the first one's webhook for
 * somebody else's.
 */
@Entity('webhook_registrations')
@ApiSchema({ name: 'RegistrationAttempt' })
@Index('webhook_registrations_under_way', ['tenant'], { unique: true, where: 'finished_at IS NULL' })
export class RegistrationAttemptEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @Open()
  id!: string;

  @Column({ type: 'text' })
  @Open()
  tenant!: string;

  @Column({ type: 'text' })
  @Open()
  url!: string;

  @Column({ type: 'text', array: true })
  @Open({ type: [String] })
  events!: readonly string[];

  /** Address of the caller. */
  @Column({ name: 'requested_from', type: 'text', nullable: true })
  @Personal({ type: String, nullable: true, description: 'Address of the caller that requested the registration' })
  requestedFrom!: string | null;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'now()' })
  @Open()
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  @Open({ type: Date, nullable: true })
  finishedAt!: Date | null;

  /** Null while the attempt is in progress, or if its process ended before the outcome was known. */
  @Column({ type: 'text', nullable: true })
  @Open({
    enum: REGISTRATION_OUTCOMES,
    nullable: true,
    description: 'Null: the attempt is in progress, or its process ended before the outcome was known',
  })
  outcome!: RegistrationOutcome | null;

  /** Id that the platform gave the webhook. */
  @Column({ name: 'platform_id', type: 'text', nullable: true })
  @Open({ type: String, nullable: true })
  platformId!: string | null;

  @Column({ name: 'platform_message', type: 'text', nullable: true })
  @Personal({ type: String, nullable: true })
  platformMessage!: string | null;
}
