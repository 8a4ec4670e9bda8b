import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';

import type { ReferenceKind } from '../records/catalog-kinds.ts';

/**
 * Stored state of a brand or category. Written and read by the statements of `references.repository.ts`.
 */
@Entity('catalog_references')
@Check('catalog_references_kind_check', `kind IN ('brand', 'category')`)
@Index('catalog_references_held', ['heldBy'], { where: 'held_by IS NOT NULL' })
@Index('catalog_references_children', ['tenant', 'parent'], { where: "kind = 'category' AND parent IS NOT NULL" })
export class ReferenceEntity {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  tenant!: string;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  kind!: ReferenceKind;

  @PrimaryColumn({ name: 'external_reference', type: 'text', collation: 'C' })
  externalReference!: string;

  /** JSON text; numbers have the digits of the record. */
  @Column({ type: 'text', nullable: true })
  record!: string | null;

  /** Parent of a category; null for a brand and at the root. */
  @Column({ type: 'text', nullable: true })
  parent!: string | null;

  @Column({ name: 'is_known', type: 'boolean', default: false })
  isKnown!: boolean;

  @Column({ name: 'in_doubt', type: 'boolean', default: false })
  inDoubt!: boolean;

  /** Rises with each change. */
  @Column({ type: 'bigint', default: 0 })
  revision!: string;

  /** The lane whose open record covers it. */
  @Column({ name: 'held_by', type: 'bigint', nullable: true })
  heldBy!: string | null;
}
