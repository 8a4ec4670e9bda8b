import type { AwaitedReference } from '@gondola/shared/results/result';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A lane that waits for a brand or category. Written and read by the statements of `reference-waits.repository.ts`.
 */
@Entity('reference_waits')
@Index('reference_waits_awaited', ['tenant', 'kind', 'externalReference'])
@Index('reference_waits_categories', ['tenant', 'waitingReference'], {
  where: `waiting_kind = 'category' AND kind = 'category'`,
})
export class ReferenceWaitEntity {
  /** The lane that waits. */
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  /** Of what it waits for. */
  @PrimaryColumn({ type: 'text' })
  kind!: AwaitedReference['kind'];

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  /** The lane's own kind. */
  @Column({ name: 'waiting_kind', type: 'text' })
  waitingKind!: string;

  /** The lane's own identity. */
  @Column({ name: 'waiting_reference', type: 'text' })
  waitingReference!: string;
}
