import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state of a brand's or category's lane. */
@Entity('reference_lanes')
export class ReferenceLaneEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  /** A `ReferenceLaneState` as JSON text; numbers have the digits of the record. */
  @Column({ type: 'text' })
  state!: string;
}
