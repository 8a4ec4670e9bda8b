import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import { plainJson } from '../values/column-values.adapter.ts';

/** Effect of a fault on an accepted call: the core refuses it, or takes it without ever notifying. */
export interface CoreDirective {
  /** 4xx with which the core refuses each item. */
  readonly refuseStatus?: number;
  readonly silent?: boolean;
}

/** One accepted item, waiting for the core or finished. */
@Entity('operations')
@Check('operations_state_check', `state IN ('waiting', 'applied', 'silent', 'crashed')`)
@Index('operations_waiting', ['seq', 'dueAt'], { where: `state = 'waiting'` })
@Index('operations_operation', ['operationId'])
export class OperationEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  seq!: string;

  /** All items of a call share it. */
  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  contractAccountId!: string;

  /** Kind that a step of the core takes. */
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
