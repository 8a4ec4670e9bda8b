import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { plainJson } from '../values/column-values.adapter.ts';
import type { Fault } from './fault.ts';

@Entity('faults')
export class FaultEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'json', transformer: plainJson })
  fault!: Fault;

  /** Number of matches, whether the fault struck or not. */
  @Column({ type: 'integer', default: 0 })
  matched!: number;

  @Column({ type: 'integer', default: 0 })
  struck!: number;
}
