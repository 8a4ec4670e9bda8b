import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** An operation of the platform, with a lane whose record went in it. */
@Entity('operations')
@Index('operations_age', ['sentAt'])
export class OperationEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ name: 'sent_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  sentAt!: Date;
}
