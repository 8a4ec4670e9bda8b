import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The final result of a command, as published. */
@Entity('command_results')
export class CommandResultEntity {
  /** `commands.id` */
  @PrimaryColumn({ name: 'command_row_id', type: 'bigint' })
  commandRowId!: string;

  @Index('command_results_of_lane')
  @Column({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'json' })
  result!: object;

  @Index('command_results_saved')
  @Column({ name: 'saved_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  savedAt!: Date;
}
