import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { LoadSource } from './load-progress.ts';

/** A load. Its records are counted from their own rows; here is what has none. */
@Entity('loads')
@Unique('loads_tenant_load_id_key', ['tenant', 'loadId'])
@Check('loads_source_check', `source IN ('topic', 'file', 'resend')`)
export class LoadEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' })
  id!: string;

  @Column({ type: 'text' })
  tenant!: string;

  @Column({ name: 'load_id', type: 'text' })
  loadId!: string;

  @Column({ type: 'text' })
  source!: LoadSource;

  @Column({ name: 'started_at', type: 'timestamptz', default: () => 'clock_timestamp()' })
  startedAt!: Date;

  /** Of a file: the kind of its records. */
  @Column({ name: 'record_kind', type: 'text', nullable: true })
  recordKind!: CatalogKind | null;

  /** Of a file: SHA-256 of its content, so that a load goes on with the same file alone. */
  @Column({ type: 'text', nullable: true })
  digest!: string | null;

  /** Records of a file, or entities that are sent again; null where records come by topics. */
  @Column({ type: 'integer', nullable: true })
  expected!: number | null;

  /** Records of a file that were handed over, from its beginning. */
  @Column({ type: 'integer', default: 0 })
  taken!: number;

  /** Of these, those whose id had come before with the same content. */
  @Column({ type: 'integer', default: 0 })
  repeated!: number;

  /** Of these, those without an identity that can be read. */
  @Column({ type: 'integer', default: 0 })
  unreadable!: number;
}
