import { ApiExtraModels, ApiProperty, getSchemaPath } from '../http/api-docs.ts';
import type { AppInfoReport } from './app-info.ts';
import type { Phase } from './health.ts';
import { StartableReport } from './readiness.dto.ts';

/** `/api/info`, for the OpenAPI document. */
@ApiExtraModels(StartableReport)
export class Info implements AppInfoReport {
  @ApiProperty()
  readonly name!: string;

  @ApiProperty()
  readonly version!: string;

  @ApiProperty({ enum: ['starting', 'ready', 'stopping'] })
  readonly phase!: Phase;

  @ApiProperty({ type: 'integer' })
  readonly uptimeMs!: number;

  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(StartableReport) } })
  readonly startables!: Record<string, StartableReport>;
}
