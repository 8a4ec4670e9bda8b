import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The link of one start, by the SHA-256 of its secret; it is used once. */
@Entity('sign_in_links')
export class SignInLinkEntity {
  @PrimaryColumn({ name: 'secret_hash', type: 'bytea' })
  secretHash!: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt!: Date | null;
}
