import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An operation of the platform, and the command that started it. */
@Entity('file_operations')
export class FileOperationEntity {
  @PrimaryColumn({ type: 'text' })
  tenant!: string;

  @PrimaryColumn({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'command_row_id', type: 'bigint' })
  commandRowId!: string;

  @Column({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  startedAt!: Date;
}
