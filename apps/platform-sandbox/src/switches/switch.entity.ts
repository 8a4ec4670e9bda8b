import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A switch that an operator of the sandbox set; it outlives a restart. */
@Entity('switches')
export class SwitchEntity {
  @PrimaryColumn({ type: 'text' })
  name!: 'behaviour' | 'sender-paused';

  @Column({ type: 'text' })
  value!: string;
}
