import { Check, Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ActorMethod } from '../operators/operator.ts';

/** `begun`: no answer yet, or the console ended before it came. */
type ActionOutcome = 'begun' | 'done' | 'refused' | 'failed';

/** An operator's action: stored before the call to the app, completed with its answer. */
@Entity('actions')
@Check('actions_outcome_check', `outcome IN ('begun', 'done', 'refused', 'failed')`)
@Index('actions_tenant', ['tenant', 'id'])
@Index('actions_subject', ['subject', 'id'], { where: 'subject IS NOT NULL' })
@Index('actions_at', ['at'])
export class ActionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'timestamptz' })
  at!: Date;

  @Column({ type: 'text' })
  operator!: string;

  /** How the operator signed in, or `token` for the command line; null if an earlier version stored it. */
  @Column({ name: 'operator_method', type: 'text', nullable: true })
  operatorMethod!: ActorMethod | null;

  /** The operator's `sub` at the provider of OpenID Connect. */
  @Column({ name: 'operator_subject', type: 'text', nullable: true })
  operatorSubject!: string | null;

  /** Null: an action on all tenants. */
  @Column({ type: 'text', nullable: true })
  tenant!: string | null;

  /** Such as `release-order`. */
  @Column({ type: 'text' })
  action!: string;

  /** The order, command or entry; null: none, such as for all entries of a kind. */
  @Column({ type: 'text', nullable: true })
  subject!: string | null;

  @Column({ type: 'text' })
  outcome!: ActionOutcome;

  /** HTTP status of the app's answer; null: none. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;
}
