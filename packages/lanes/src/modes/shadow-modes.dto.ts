import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { Must, TimeParameter } from '@gondola/service-kit/http/request-fields';
import { Allow } from 'class-validator';

const MODES = ['live', 'shadow'] as const;
const FROM = 'From when on: what came before stays as it was';

/** From when on a tenant is live, or in shadow again. */
export class ShownShadowPoint {
  @Open({ enum: MODES })
  readonly mode!: (typeof MODES)[number];

  @Open()
  readonly from!: Date;
}

/** In which mode a tenant is that the tenants file has in shadow. */
export class ShownShadowMode {
  @Open()
  readonly tenant!: string;

  @Open({ enum: MODES, description: 'Mode for what comes now' })
  readonly mode!: (typeof MODES)[number];

  @Open({ type: Date, nullable: true, description: 'Since when its work is held; null: it is not' })
  readonly heldSince!: Date | null;

  @Open({ type: [ShownShadowPoint], description: 'In the order of their times; in shadow before the first' })
  readonly points!: readonly ShownShadowPoint[];
}

export class ShownShadowModes {
  @Open({ type: [ShownShadowMode] })
  readonly entries!: readonly ShownShadowMode[];
}

export class ShadowHold {
  @ApiPropertyOptional({ type: String, description: 'Needed with several tenants' })
  @Allow()
  readonly tenant?: unknown;
}

export class ShadowSwitch extends ShadowHold {
  @ApiProperty({ type: String, format: 'date-time', required: true, description: FROM })
  @Must((time) => time !== undefined, 'from is the time from which on it counts')
  @TimeParameter(FROM)
  readonly from!: string;
}
