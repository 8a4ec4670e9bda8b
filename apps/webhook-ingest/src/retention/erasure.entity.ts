import { ApiProperty } from '@nestjs/swagger';
import { Column, Entity, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';

/** A notification that the relay still has to send. */
export const IS_WAITING = 'n.topic IS NOT NULL AND n.sent_at IS NULL AND n.parked_at IS NULL';

/** A request to erase what was received about an order, and how far it is. The row stays as the record of it. */
@Entity('erasures')
export class ErasureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @ApiProperty()
  id!: string;

  @Column({ type: 'text' })
  @ApiProperty()
  tenant!: string;

  @Column({ name: 'order_number', type: 'text' })
  @ApiProperty()
  orderNumber!: string;

  /** Of the order's notifications. */
  @Column({ name: 'partition_key', type: 'text' })
  partitionKey!: string;

  /** Of the order's entries in quarantine. */
  @Column({ type: 'text' })
  subject!: string;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  @ApiProperty()
  at!: Date;

  /** Contents of notifications erased so far. */
  @Column({ type: 'integer', default: 0 })
  @ApiProperty({ type: 'integer', description: 'Contents erased so far' })
  notifications!: number;

  /** Contents in quarantine erased so far. */
  @Column({ type: 'integer', default: 0 })
  @ApiProperty({ type: 'integer', description: 'Contents in quarantine erased so far' })
  quarantined!: number;

  /** Notifications that are not sent yet; each is erased once it is. */
  @VirtualColumn({
    type: 'integer',
    query: (row) => `SELECT count(*)::int FROM notifications AS n
      WHERE n.partition_key = ${row}.partition_key AND n.body IS NOT NULL AND ${IS_WAITING}`,
  })
  @ApiProperty({ type: 'integer', description: 'Not sent yet; each is erased once it is' })
  waiting!: number;
}
