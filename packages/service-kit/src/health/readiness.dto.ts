import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PartialType } from '../http/api-docs.ts';
import type { AppInfoReport } from './app-info.ts';
import type { CheckReport, Phase, ReadinessReport, StartableState } from './health.ts';

/** State of one startable or check in `/health/ready` and `/api/info`. */
export class StartableReport implements StartableState {
  @ApiProperty({ enum: ['waiting', 'starting', 'retrying', 'started', 'stopped'] })
  readonly state!: StartableState['state'];

  @ApiPropertyOptional({ type: 'integer' })
  readonly attempts?: number;

  @ApiPropertyOptional({ description: 'What a running start waits for, if it may take time' })
  readonly waitsFor?: string;

  @ApiPropertyOptional({ description: 'Code of the failure' })
  readonly reason?: string;

  @ApiPropertyOptional({ description: 'Setting that could not be used, such as DATABASE_URL' })
  readonly variable?: string;
}

class Check extends PartialType(StartableReport) implements CheckReport {
  @ApiProperty()
  readonly ok!: boolean;

  @ApiProperty({ description: 'False: shown, but not required for readiness' })
  readonly required!: boolean;
}

/** `/health/ready`, for the OpenAPI document. */
@ApiExtraModels(Check)
export class Readiness implements ReadinessReport {
  @ApiProperty({ enum: ['starting', 'ready', 'failing', 'stopping'] })
  readonly status!: Phase | 'failing';

  @ApiProperty({ type: 'object', additionalProperties: { $ref: getSchemaPath(Check) } })
  readonly checks!: Record<string, Check>;
}

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
