import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiSchema } from '@gondola/service-kit/http/api-docs';
import { IS_WAITING } from '../inbox/notification.entity.ts';
import { Column, Entity, Index, PrimaryGeneratedColumn, VirtualColumn } from 'typeorm';

/** A request to erase all content about an order, and its progress. The row stays as the record. */
@Entity('erasures')
@ApiSchema({ name: 'Erasure' })
export class ErasureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  @Open()
  id!: string;

  @Column({ type: 'text' })
  @Open()
  tenant!: string;

  @Column({ name: 'order_number', type: 'text' })
  @Open()
  orderNumber!: string;

  /** Partition key of the order's notifications. */
  @Index('erasures_partition_key')
  @Column({ name: 'partition_key', type: 'text', select: false })
  partitionKey!: string;

  /** Subject of the order's quarantine entries. */
  @Column({ type: 'text', select: false })
  subject!: string;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  @Open()
  at!: Date;

  /** Contents of notifications erased so far. */
  @Column({ type: 'integer', default: 0 })
  @Open({ type: 'integer', description: 'Contents of notifications erased so far' })
  notifications!: number;

  /** Contents of quarantine entries erased so far. */
  @Column({ type: 'integer', default: 0 })
  @Open({ type: 'integer', description: 'Contents of quarantine entries erased so far' })
  quarantined!: number;

  /** Notifications that are not published yet; each is published without personal data, then erased. */
  @VirtualColumn({
    type: 'integer',
    query: (row) => `SELECT count(*)::int FROM notifications AS n
      WHERE n.partition_key = ${row}.partition_key AND n.body IS NOT NULL AND ${IS_WAITING}`,
  })
  @Open({
    type: 'integer',
    description: 'Notifications that are not published yet; each is published without personal data, then erased',
  })
  waiting!: number;
}
