import { Open } from '../http/answer-fields.ts';
import { ApiExtraModels, getSchemaPath, PartialType } from '../http/api-docs.ts';
import type { AppInfoReport } from './app-info.ts';
import type { CheckReport, Phase, ReadinessReport, StartableState } from './health.ts';

/** State of one startable or check in `/health/ready` and `/api/info`. */
export class StartableReport implements StartableState {
  @Open({ enum: ['waiting', 'starting', 'retrying', 'started', 'stopped'] })
  readonly state!: StartableState['state'];

  @Open({ required: false, type: 'integer' })
  readonly attempts?: number;

  @Open({ required: false, description: 'What a running start waits for, if it may take time' })
  readonly waitsFor?: string;

  @Open({ required: false, description: 'Code of the failure' })
  readonly reason?: string;

  @Open({ required: false, description: 'Setting that could not be used, such as DATABASE_URL' })
  readonly variable?: string;
}

class Check extends PartialType(StartableReport) implements CheckReport {
  @Open()
  readonly ok!: boolean;

  @Open({ description: 'False: shown, but not required for readiness' })
  readonly required!: boolean;
}

/** `/health/ready`, for the OpenAPI document. */
@ApiExtraModels(Check)
export class Readiness implements ReadinessReport {
  @Open({ enum: ['starting', 'ready', 'failing', 'stopping'] })
  readonly status!: Phase | 'failing';

  @Open({ type: 'object', additionalProperties: { $ref: getSchemaPath(Check) } })
  readonly checks!: Record<string, Check>;
}

/** `/api/info`, for the OpenAPI document. */
@ApiExtraModels(StartableReport)
export class Info implements AppInfoReport {
  @Open()
  readonly name!: string;

  @Open()
  readonly version!: string;

  @Open({ enum: ['starting', 'ready', 'stopping'] })
  readonly phase!: Phase;

  @Open({ type: 'integer' })
  readonly uptimeMs!: number;

  @Open({ type: 'object', additionalProperties: { $ref: getSchemaPath(StartableReport) } })
  readonly startables!: Record<string, StartableReport>;
}
