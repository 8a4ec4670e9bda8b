import {
  Check,
  Column,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import { wholeNumber } from '../values/column-values.adapter.ts';

/** One notification to one webhook. `lost`: a fault prevented its delivery. */
@Entity('deliveries')
@Check('deliveries_state_check', `state IN ('pending', 'delivered', 'dead', 'lost')`)
@Index('deliveries_pending', ['dueAt', 'id'], { where: `state = 'pending'` })
@Index('deliveries_dead', ['id'], { where: `state = 'dead'` })
@Index('deliveries_operation', ['operationId'])
export class DeliveryEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'contract_account_id', type: 'text' })
  contractAccountId!: string;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  /** All attempts send the same bytes. */
  @Column({ type: 'bytea' })
  body!: Buffer;

  @Column({ type: 'text', default: 'pending' })
  state!: 'pending' | 'delivered' | 'dead' | 'lost';

  /** Number of attempts that were begun. */
  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ name: 'due_at', type: 'timestamptz' })
  dueAt!: Date;

  @Column({ name: 'created_at', type: 'timestamptz', default: () => 'now()' })
  createdAt!: Date;

  @Column({ name: 'ended_at', type: 'timestamptz', nullable: true })
  endedAt!: Date | null;
}

@Entity('delivery_attempts')
@Unique('delivery_attempts_seq_key', ['seq'])
export class DeliveryAttemptEntity {
  @PrimaryColumn({ name: 'delivery_id', type: 'bigint' })
  deliveryId!: string;

  @ManyToOne(() => DeliveryEntity)
  @JoinColumn({ name: 'delivery_id', foreignKeyConstraintName: 'delivery_attempts_delivery_id_fkey' })
  delivery!: DeliveryEntity;

  @PrimaryColumn({ type: 'integer' })
  attempt!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  /** Null until the attempt is finished; rises in the order in which attempts finish. */
  @Column({ type: 'bigint', nullable: true, transformer: wholeNumber })
  seq!: number | null;

  /** The HTTP status; null without an answer. */
  @Column({ type: 'integer', nullable: true })
  answer!: number | null;
}
