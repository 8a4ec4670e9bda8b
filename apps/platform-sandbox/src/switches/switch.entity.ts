import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What an operator of the sandbox set, and a restart leaves as it is. */
@Entity('switches')
export class SwitchEntity {
  @PrimaryColumn({ type: 'text' })
  name!: 'behaviour' | 'sender-paused';

  @Column({ type: 'text' })
  value!: string;
}
