import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The state of a price's, warehouse's or stock's lane. */
@Entity('value_lanes')
export class ValueLaneEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  /** A `ValueLaneState` as JSON text, in the digits of the record. */
  @Column({ type: 'text' })
  state!: string;
}
