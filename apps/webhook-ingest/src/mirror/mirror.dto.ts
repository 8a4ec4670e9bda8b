import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Allow } from 'class-validator';

export class MirrorQuery {
  @QueryParameter('Only the mirror of this tenant')
  readonly tenant?: string;
}

export class MirrorSwitch {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;
}

/** A mirror and what waits for it. */
export class ShownMirror {
  @Open()
  readonly tenant!: string;

  @Open({ description: 'Scheme, host and port of webhook.mirror.url' })
  readonly receiver!: string;

  @Open({ type: 'integer', description: 'Notifications that wait' })
  readonly waiting!: number;

  @Open({ type: Date, nullable: true, description: 'Receipt of the oldest of them' })
  readonly oldestAt!: Date | null;

  @Open({ type: Date, nullable: true, description: 'Since when an operator holds it; null: it sends' })
  readonly pausedAt!: Date | null;

  @Open({ type: String, nullable: true, description: 'Operator who paused it, if named' })
  readonly pausedBy!: string | null;

  @Open({ type: Date, nullable: true, description: 'First failure since the last answer that counts' })
  readonly failingSince!: Date | null;

  @Open({ type: String, nullable: true, description: 'Status of the last failed attempt, or its code: TIMEOUT, …' })
  readonly failure!: string | null;
}

export class ShownMirrors {
  @Open({ type: [ShownMirror], description: 'Of the tenants with webhook.mirror' })
  readonly entries!: readonly ShownMirror[];
}
