import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { plainJson } from '../values/column-values.adapter.ts';

/** What a fault made of an accepted call: the core refuses it, or takes it and never says a word. */
export interface CoreDirective {
  /** 4xx with which the core refuses each item. */
  readonly refuseStatus?: number;
  readonly silent?: boolean;
}

/** One accepted item, which waits for the core or was taken. */
@Entity('operations')
@Check('operations_state_check', `state IN ('waiting', 'applied', 'silent', 'crashed')`)
@Index('operations_waiting', ['seq', 'dueAt'], { where: `state = 'waiting'` })
@Index('operations_operation', ['operationId'])
export class OperationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq!: string;

  /** The same of all items of a call. */
  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  contractAccountId!: string;

  /** As of a step of the core. */
  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'text' })
  payload!: string;

  @Column({ type: 'json', transformer: plainJson })
  directive!: CoreDirective;

  @Column({ type: 'text', default: 'waiting' })
  state!: 'waiting' | 'applied' | 'silent' | 'crashed';

  @Column({ name: 'accepted_at', type: 'timestamptz', default: () => 'now()' })
  acceptedAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;

  @Column({ name: 'due_at', type: 'timestamptz', default: () => 'now()' })
  dueAt!: Date;
}
