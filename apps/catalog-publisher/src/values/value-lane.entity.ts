import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/** The state of a price's, warehouse's or stock's lane. */
@Entity('value_lanes')
@Index('value_lanes_named', ['tenant', 'externalReference'])
export class ValueLaneEntity {
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'text', nullable: true })
  tenant!: string | null;

  @Column({ type: 'text', nullable: true })
  kind!: string | null;

  /** Reference of the SKU or warehouse. */
  @Column({ name: 'external_reference', type: 'text', nullable: true })
  externalReference!: string | null;

  /** A `ValueLaneState` as JSON text; numbers have the digits of the record. */
  @Column({ type: 'text' })
  state!: string;
}
