import { Open } from '@gondola/service-kit/http/answer-fields';
import { PageQuery } from '@gondola/service-kit/http/page.dto';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';

import { VERDICT_KINDS, type VerdictKind } from '@gondola/shared/shadow/shadow-verdict';

export class ShadowQuery {
  @QueryParameter('Only of this tenant')
  readonly tenant?: string;
}

export class ShadowDifferencesQuery extends PageQuery {
  @QueryParameter('Only of this tenant')
  readonly tenant?: string;

  @QueryParameter('Only of this kind', VERDICT_KINDS)
  readonly kind?: VerdictKind;
}

/** Number of compared changes of one kind. */
export class VerdictCount {
  @Open()
  readonly tenant!: string;

  @Open({ enum: [...VERDICT_KINDS, 'open'], description: 'open: not compared yet' })
  readonly kind!: VerdictKind | 'open';

  @Open({ type: 'integer' })
  readonly count!: number;
}

export class ShadowCounts {
  @Open({ type: [String], description: 'Tenants in shadow' })
  readonly tenants!: readonly string[];

  @Open({ type: [VerdictCount] })
  readonly counts!: readonly VerdictCount[];
}

/** A difference between what Gondola would have sent and what the shop got. */
export class ShadowDifference {
  @Open()
  readonly id!: string;

  @Open()
  readonly tenant!: string;

  @Open({ enum: VERDICT_KINDS })
  readonly kind!: VerdictKind;

  @Open({ description: 'Route of the platform, or what the shop showed' })
  readonly route!: string;

  @Open({ description: 'Order number or reference' })
  readonly entity!: string;

  @Open({ type: String, nullable: true, description: 'Command, or record, that it comes from' })
  readonly commandId!: string | null;

  @Open({
    type: String,
    nullable: true,
    description: 'What Gondola would have sent, as JSON text; a file is its size and hash',
  })
  readonly gondola!: string | null;

  @Open({ type: String, nullable: true, description: 'What the shop shows, as JSON text' })
  readonly shop!: string | null;

  @Open({ type: String, nullable: true, description: 'Why it cannot be compared' })
  readonly why!: string | null;

  @Open({ type: 'number', nullable: true, description: 'Milliseconds by which the shop got it later' })
  readonly lateMs!: number | null;

  @Open({ description: 'When Gondola would have sent it, or the shop showed it' })
  readonly at!: Date;
}
