import { ROUTES } from '@gondola/platform-client/routes';
import { Allow } from 'class-validator';

import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { QueryParameter } from '@gondola/service-kit/http/request-fields';

export class PausesQuery {
  @QueryParameter('Only those of this tenant')
  readonly tenant?: string;
}

/** An open circuit breaker. */
export class PlatformPause {
  @Open()
  readonly tenant!: string;

  @Open({ type: String, nullable: true, description: 'Null: all calls of the tenant' })
  readonly route!: string | null;

  @Open({ enum: ['paused', 'credentials', 'throttled'], description: 'paused: failures in a row' })
  readonly cause!: 'paused' | 'credentials' | 'throttled';

  @Open()
  readonly since!: Date;

  @Open({ description: 'When a trial call may be made; in the past while it is awaited' })
  readonly until!: Date;
}

/** An open circuit breaker of a replica. */
export class ReplicaPause extends PlatformPause {
  @Open({ description: 'Process that has it, by machine and number' })
  readonly replica!: string;
}

export class Pauses {
  @Open({ type: [ReplicaPause], description: 'Of all replicas, the eldest first' })
  readonly entries!: readonly ReplicaPause[];
}

export class EndPauses {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;

  @ApiPropertyOptional({
    enum: Object.keys(ROUTES),
    description: 'As a pause names it; without it all pauses of the tenant',
  })
  @Allow()
  readonly route?: unknown;
}

export class EndedPauses {
  @Open({ type: [ReplicaPause], description: 'Each replica makes one trial call within about a second' })
  readonly ended!: readonly ReplicaPause[];
}
