import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/**
 * That what was received about a shopper was erased. Whose it was is not written down: that would be personal. By a
 * hash, which nobody can look up without its salt, what comes late is recognised until `knownUntil`.
 */
@Entity('user_erasures')
export class UserErasureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @ApiProperty()
  id!: string;

  @Column({ type: 'text' })
  @ApiProperty()
  tenant!: string;

  @Column({ name: 'erased_at', type: 'timestamptz' })
  @ApiProperty()
  at!: Date;

  @Column({ type: 'integer' })
  @ApiProperty({ type: 'integer', description: 'Contents of notifications' })
  notifications!: number;

  @Column({ type: 'integer' })
  @ApiProperty({ type: 'integer', description: 'Contents in quarantine' })
  quarantined!: number;

  @Column({ type: 'integer' })
  @ApiProperty({ type: 'integer', description: 'Notifications that wait to be sent: ask again once they are' })
  waiting!: number;

  @Column({ type: 'bytea', nullable: true, select: false })
  salt!: Buffer | null;

  /** SHA-256 of the salt and the e-mail. */
  @Column({ name: 'email_hash', type: 'bytea', nullable: true, select: false })
  emailHash!: Buffer | null;

  @Column({ name: 'known_until', type: 'timestamptz', nullable: true })
  @ApiProperty({ type: Date, nullable: true, description: 'Until then what comes late is recognised and not stored' })
  knownUntil!: Date | null;
}
