import { Column, Entity, PrimaryColumn } from 'typeorm';
import { outsideText, wholeNumber } from '../values/column-values.adapter.ts';

/** One call to the platform's routes, as received. */
@Entity('requests')
export class RequestEntity {
  @PrimaryColumn({ type: 'bigint', generated: 'identity', generatedIdentity: 'ALWAYS', transformer: wholeNumber })
  seq!: number;

  @Column({ type: 'timestamptz', default: () => 'now()' })
  at!: Date;

  @Column({ type: 'text' })
  method!: string;

  @Column({ type: 'text', transformer: outsideText })
  path!: string;

  @Column({ type: 'text', nullable: true, transformer: outsideText })
  query!: string | null;

  /** Null if the call was never answered. */
  @Column({ type: 'integer', nullable: true })
  status!: number | null;

  @Column({ type: 'bytea' })
  body!: Buffer;
}
