import { Column, Entity, Index, PrimaryGeneratedColumn, Unique } from 'typeorm';

/** Lane of one entity. Written by the statements of `lanes.sql.ts` alone. */
@Entity('lanes')
@Unique('lanes_tenant_kind_identity_key', ['tenant', 'kind', 'identity'])
@Index('lanes_ready', ['tenant', 'kind', 'readyAt'], { where: 'ready_at IS NOT NULL' })
@Index('lanes_stuck', ['tenant', 'kind', 'identity'], { where: 'failures >= 10' })
export class LaneEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  tenant!: string;

  @Column({ type: 'text', collation: 'C' })
  kind!: string;

  @Column({ type: 'text', collation: 'C' })
  identity!: string;

  @Column({ name: 'due_at', type: 'timestamptz', nullable: true })
  dueAt!: Date | null;

  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil!: Date | null;

  /** Rises with each claim. */
  @Column({ type: 'bigint', default: 0 })
  epoch!: string;

  /** Steps that failed or never finished since the last finished one. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  /** Time at which the lane may be claimed; PostgreSQL computes it. */
  @Column({
    name: 'ready_at',
    type: 'timestamptz',
    nullable: true,
    generatedType: 'STORED',
    asExpression: 'COALESCE(lease_until, due_at)',
    insert: false,
    update: false,
  })
  readyAt!: Date | null;
}
