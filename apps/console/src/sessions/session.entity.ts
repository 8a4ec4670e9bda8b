import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';
import type { SignedIn, SignInMethod } from '../operators/operator.ts';

/** A session. Its token is in the browser alone; the table has the SHA-256 of it. */
@Entity('sessions')
@Unique('sessions_token_hash_key', ['tokenHash'])
@Index('sessions_previous', ['previousHash'], { where: 'previous_hash IS NOT NULL' })
@Index('sessions_created', ['createdAt'])
export class SessionEntity implements SignedIn {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash!: Buffer;

  /** The token before the present one, which calls under way may still show. */
  @Column({ name: 'previous_hash', type: 'bytea', nullable: true })
  previousHash!: Buffer | null;

  @Column({ type: 'text' })
  method!: SignInMethod;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  /** Fingerprint of what the operator signed in with; null if an earlier version opened the session: it ended. */
  @Column({ type: 'bytea', nullable: true })
  credential!: Buffer | null;

  /** Address from which the operator signed in. */
  @Column({ type: 'text', nullable: true })
  address!: string | null;

  @Column({ type: 'text', array: true })
  groups!: readonly string[];

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'rotated_at', type: 'timestamptz' })
  rotatedAt!: Date;

  @Column({ name: 'seen_at', type: 'timestamptz' })
  seenAt!: Date;
}
