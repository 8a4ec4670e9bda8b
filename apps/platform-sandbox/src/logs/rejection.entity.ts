import { Column, Entity, Index, PrimaryGeneratedColumn } from 'typeorm';
import type { ErrorObject } from '../core/core-error.ts';
import { exactJson, outsideText } from '../values/column-values.adapter.ts';

/** A refusal of the core, stored until the history sweep deletes it. */
@Entity('rejections')
@Index('rejections_operation', ['operationId'])
export class RejectionEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ name: 'operation_id', type: 'text' })
  operationId!: string;

  @Column({ name: 'event_type', type: 'text' })
  eventType!: string;

  @Column({ type: 'text', nullable: true, transformer: outsideText })
  about!: string | null;

  @Column({ type: 'text', nullable: true, transformer: outsideText })
  sku!: string | null;

  @Column({ type: 'json', transformer: exactJson })
  error!: ErrorObject;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;
}
