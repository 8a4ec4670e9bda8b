import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** A refusal that the platform sent as a notification. Written and read by `failures.repository.ts`. */
@Entity('platform_failures')
@Unique('platform_failures_dedup_key_key', ['dedupKey'])
@Index('platform_failures_operation', ['tenant', 'operationId'])
@Index('platform_failures_lane', ['tenant', 'laneKind', 'laneIdentity'])
export class PlatformFailureEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'dedup_key', type: 'text' })
  dedupKey!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'operation_id', type: 'text', nullable: true })
  operationId!: string | null;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  /** Lane of the entity that the refusal names, if any. */
  @Column({ name: 'lane_kind', type: 'text', nullable: true })
  laneKind!: string | null;

  @Column({ name: 'lane_identity', type: 'text', nullable: true })
  laneIdentity!: string | null;

  /** The bytes received. */
  @Column({ type: 'bytea', nullable: true })
  error!: Buffer | null;

  @Column({ name: 'received_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  receivedAt!: Date;
}
