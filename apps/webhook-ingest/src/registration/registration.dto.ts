import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { Open } from '@gondola/service-kit/http/answer-fields';
import { ApiProperty, ApiPropertyOptional, ApiSchema } from '@gondola/service-kit/http/api-docs';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { RegistrationAttemptEntity } from './registration-attempt.entity.ts';
import { REGISTRATION_OUTCOMES, type RegistrationOutcome } from './registration-outcome.ts';

const MAX_EVENTS = 100;
const TENANT = 'tenant is the id of a tenant';
const URL = 'url is where the platform is to deliver';
const EVENTS = `events is a list of at most ${MAX_EVENTS} event names beside the documented ones`;

export class RegistrationsQuery {
  @QueryParameter('Only the webhook of this tenant')
  readonly tenant?: string;
}

/** A request to register the webhook, or to show the registration. */
export class RegistrationRequest {
  @ApiProperty()
  @IsString({ message: TENANT })
  @IsNotEmpty({ message: TENANT })
  readonly tenant!: string;

  @ApiProperty({ description: 'Public address of the webhook: https://…/webhooks/platform/{tenant}' })
  @IsString({ message: URL })
  @IsNotEmpty({ message: URL })
  readonly url!: string;

  @ApiPropertyOptional({
    type: [String],
    description: 'Event names besides the documented ones and those of the wire profile',
  })
  @IsArray({ message: EVENTS })
  @ArrayMaxSize(MAX_EVENTS, { message: EVENTS })
  @IsString({ each: true, message: EVENTS })
  readonly events: readonly string[] = [];

  @ApiPropertyOptional({ default: false })
  @IsBoolean({ message: 'confirm is true or false' })
  readonly confirm: boolean = false;
}

const REGISTRATION_PROBLEMS = [
  'URL_INVALID',
  'URL_NOT_HTTPS',
  'URL_HAS_CREDENTIALS',
  'URL_HAS_FRAGMENT',
  'URL_NOT_PUBLIC',
  'URL_OF_ANOTHER_TENANT',
  'EVENT_NAME_INVALID',
  'TOKEN_MISSING',
  'TOKEN_WEAK',
  'PLATFORM_CREDENTIALS',
  'TENANT_IN_SHADOW',
] as const;

/** Reason why the registration is not possible, and the remedy. */
@ApiSchema({ name: 'Problem' })
export class RegistrationProblem {
  @Open({ enum: REGISTRATION_PROBLEMS })
  readonly code!: (typeof REGISTRATION_PROBLEMS)[number];

  @Open()
  readonly message!: string;
}

/** Notice for the operator to check before confirming. */
@ApiSchema({ name: 'Warning' })
export class RegistrationNotice {
  @Open({ enum: ['URL_LOCAL', 'URL_PATH'] })
  readonly code!: 'URL_LOCAL' | 'URL_PATH';

  @Open()
  readonly message!: string;
}

/** A planned or sent registration. */
export class Registration {
  @Open()
  readonly tenant!: string;

  @Open()
  readonly url!: string;

  /** Documented events, those of the profile and the requested ones, each once. */
  @Open({ type: [String] })
  readonly events!: readonly string[];

  /**
   * `dry-run`: nothing was sent. Every other outcome is an error answer, so that no caller mistakes it for success.
   */
  @Open({ enum: ['dry-run', 'registered'] })
  readonly outcome!: 'registered' | 'dry-run';

  @Open()
  readonly message!: string;

  @Open({ description: 'Sentence saying that a registration can never be changed' })
  readonly permanence!: string;

  @Open({
    type: [RegistrationProblem],
    description: 'Problems to solve before the registration can be confirmed; empty after it was sent',
  })
  readonly problems!: readonly RegistrationProblem[];

  @Open({ type: [RegistrationNotice] })
  readonly warnings!: readonly RegistrationNotice[];

  @Open({ type: [RegistrationAttemptEntity] })
  readonly attempts!: readonly RegistrationAttemptEntity[];
}

/** State of a tenant's webhook, as far as it is known. */
export class RegistrationState {
  @Open()
  readonly tenant!: string;

  @Open({ type: String, nullable: true, description: 'URL that is registered or probably registered' })
  readonly url!: string | null;

  @Open({ type: [String], nullable: true })
  readonly events!: readonly string[] | null;

  @Open({ enum: ['none', ...REGISTRATION_OUTCOMES] })
  readonly outcome!: RegistrationOutcome | 'none';

  @Open()
  readonly message!: string;

  @Open({ type: Date, nullable: true })
  readonly lastNotificationAt!: Date | null;

  @Open({ type: [RegistrationAttemptEntity] })
  readonly attempts!: readonly RegistrationAttemptEntity[];
}

export class RegistrationStates {
  @Open({ type: [RegistrationState], description: 'State of the webhook of each tenant' })
  readonly registrations!: readonly RegistrationState[];
}
