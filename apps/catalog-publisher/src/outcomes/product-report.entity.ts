import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/**
 * A report of the platform that has not concluded a record yet. Written and read by the statements of
 * `product-reports.repository.ts`.
 */
@Entity('product_reports')
@Unique('product_reports_dedup_key_key', ['dedupKey'])
@Index('product_reports_lane', ['laneId', 'id'])
export class ProductReportEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  dedupKey!: string;

  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  /** `data`, byte for byte. */
  @Column({ type: 'bytea' })
  data!: Buffer;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  receivedAt!: Date;
}
