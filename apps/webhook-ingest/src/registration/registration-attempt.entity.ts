import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { REGISTRATION_OUTCOMES, type RegistrationOutcome } from './registration-outcome.ts';

/**
 * An attempt to register a webhook, written down before its call. It holds no token, nor anything made from one. A
 * tenant has one attempt at a time under way: of two at once, the second would take the first one's webhook for
 * somebody else's.
 */
@Entity('webhook_registrations')
@Index('webhook_registrations_under_way', ['tenant'], { unique: true, where: 'finished_at IS NULL' })
export class RegistrationAttemptEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @ApiProperty()
  id!: string;

  @Column({ type: 'text' })
  @ApiProperty()
  tenant!: string;

  @Column({ type: 'text' })
  @ApiProperty()
  url!: string;

  @Column({ type: 'text', array: true })
  @ApiProperty({ type: [String] })
  events!: readonly string[];

  /** The address that asked. */
  @Column({ name: 'requested_from', type: 'text', nullable: true })
  @ApiProperty({ type: String, nullable: true, description: 'The address that asked' })
  requestedFrom!: string | null;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'now()' })
  @ApiProperty()
  startedAt!: Date;

  @Column({ name: 'finished_at', type: 'timestamptz', nullable: true })
  @ApiProperty({ type: Date, nullable: true })
  finishedAt!: Date | null;

  /** Null while it is under way, or where its process ended before the outcome was known. */
  @Column({ type: 'text', nullable: true })
  @ApiProperty({
    enum: REGISTRATION_OUTCOMES,
    nullable: true,
    description: 'Null: under way, or its process ended before the outcome was known',
  })
  outcome!: RegistrationOutcome | null;

  /** The platform's id of the webhook. */
  @Column({ name: 'platform_id', type: 'text', nullable: true })
  @ApiProperty({ type: String, nullable: true })
  platformId!: string | null;

  @Column({ name: 'platform_message', type: 'text', nullable: true })
  @ApiProperty({ type: String, nullable: true })
  platformMessage!: string | null;
}
