import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional } from '@gondola/service-kit/http/api-docs';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { REGISTRATION_PROBLEMS, type RegistrationNotice, type RegistrationProblem } from './judge-registration.ts';
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

class Problem implements RegistrationProblem {
  @ApiProperty({ enum: REGISTRATION_PROBLEMS })
  readonly code!: RegistrationProblem['code'];

  @ApiProperty()
  readonly message!: string;
}

class Warning implements RegistrationNotice {
  @ApiProperty({ enum: ['URL_LOCAL', 'URL_PATH'] })
  readonly code!: RegistrationNotice['code'];

  @ApiProperty()
  readonly message!: string;
}

/** A planned or sent registration. */
export class Registration {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly url!: string;

  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];

  /**
   * `dry-run`: nothing was sent. Every other outcome is an error answer, so that no caller mistakes it for success.
   */
  @ApiProperty({ enum: ['dry-run', 'registered'] })
  readonly outcome!: 'registered' | 'dry-run';

  @ApiProperty()
  readonly message!: string;

  @ApiProperty({ description: 'Sentence saying that a registration can never be changed' })
  readonly permanence!: string;

  @ApiProperty({
    type: [Problem],
    description: 'Problems to solve before the registration can be confirmed; empty after it was sent',
  })
  readonly problems!: readonly RegistrationProblem[];

  @ApiProperty({ type: [Warning] })
  readonly warnings!: readonly RegistrationNotice[];

  @ApiProperty({ type: [RegistrationAttemptEntity] })
  readonly attempts!: readonly RegistrationAttemptEntity[];
}

/** State of a tenant's webhook, as far as it is known. */
export class RegistrationState {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ type: String, nullable: true, description: 'URL that is registered or probably registered' })
  readonly url!: string | null;

  @ApiProperty({ type: [String], nullable: true })
  readonly events!: readonly string[] | null;

  @ApiProperty({ enum: ['none', ...REGISTRATION_OUTCOMES] })
  readonly outcome!: RegistrationOutcome | 'none';

  @ApiProperty()
  readonly message!: string;

  @ApiProperty({ type: Date, nullable: true })
  readonly lastNotificationAt!: Date | null;

  @ApiProperty({ type: [RegistrationAttemptEntity] })
  readonly attempts!: readonly RegistrationAttemptEntity[];
}

export class RegistrationStates {
  @ApiProperty({ type: [RegistrationState], description: 'State of the webhook of each tenant' })
  readonly registrations!: readonly RegistrationState[];
}
