import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';

/** That what was received about a shopper was erased. Whose it was is not written down: that would be personal. */
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
}
