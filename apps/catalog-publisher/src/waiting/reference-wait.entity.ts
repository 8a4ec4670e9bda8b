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
  /** Waiting lane. */
  @PrimaryColumn({ name: 'lane_id', type: 'bigint' })
  laneId!: string;

  @Column({ type: 'text' })
  tenant!: string;

  /** Reference of the brand, category or SKU. */
  @PrimaryColumn({ type: 'text' })
  kind!: AwaitedReference['kind'];

  @PrimaryColumn({ name: 'external_reference', type: 'text' })
  externalReference!: string;

  /** Kind of the waiting lane. */
  @Column({ name: 'waiting_kind', type: 'text' })
  waitingKind!: string;

  /** Identity of the waiting lane. */
  @Column({ name: 'waiting_reference', type: 'text' })
  waitingReference!: string;
}
