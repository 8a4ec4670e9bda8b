import { Check, Column, Entity, PrimaryGeneratedColumn, Unique } from 'typeorm';

import type { CatalogKind } from '../records/catalog-kinds.ts';
import type { LoadSource } from './load-progress.ts';

/** A load. Its records are counted from their own rows; this row holds the other figures. */
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

  /** Kind of the records of a file; null for other sources. */
  @Column({ name: 'record_kind', type: 'text', nullable: true })
  recordKind!: CatalogKind | null;

  /** SHA-256 of a file: a load continues only with the same file; null for other sources. */
  @Column({ type: 'text', nullable: true })
  digest!: string | null;

  /** Number of records of a file, or of entities of a resend; null for records from topics. */
  @Column({ type: 'integer', nullable: true })
  expected!: number | null;

  /** Number of records handed over from the beginning of a file. */
  @Column({ type: 'integer', default: 0 })
  taken!: number;

  /** Number of these that repeat a known id with the same content. */
  @Column({ type: 'integer', default: 0 })
  repeated!: number;

  /** Number of these without a readable identity. */
  @Column({ type: 'integer', default: 0 })
  unreadable!: number;
}
