import { Open } from '@gondola/service-kit/http/answer-fields';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * Record that a shopper's content was erased. The shopper is not named, because that would be personal data. A
 * hash, useless without its salt, recognises late content until `knownUntil`.
 */
@Entity('user_erasures')
export class UserErasureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @Open()
  id!: string;

  @Column({ type: 'text' })
  @Open()
  tenant!: string;

  @Column({ name: 'erased_at', type: 'timestamptz' })
  @Open()
  at!: Date;

  @Column({ type: 'integer' })
  @Open({ type: 'integer', description: 'Contents of notifications that were erased' })
  notifications!: number;

  @Column({ type: 'integer' })
  @Open({ type: 'integer', description: 'Contents of quarantine entries that were erased' })
  quarantined!: number;

  @Column({ type: 'bytea', nullable: true, select: false })
  salt!: Buffer | null;

  /** SHA-256 of the salt and the e-mail. */
  @Column({ name: 'email_hash', type: 'bytea', nullable: true, select: false })
  emailHash!: Buffer | null;

  @Column({ name: 'known_until', type: 'timestamptz', nullable: true })
  @Open({
    type: Date,
    nullable: true,
    description: 'Time until which late content is recognised and not stored',
  })
  knownUntil!: Date | null;
}
