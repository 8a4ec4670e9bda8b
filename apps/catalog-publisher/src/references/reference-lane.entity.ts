import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What is known of the record of a brand's or category's lane. */
@Entity('reference_lanes')
export class ReferenceLaneEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  /** A `ReferenceLaneState` as JSON text, which keeps digits. */
  @Column({ type: 'text' })
  state!: string;
}
