import { QueryParameter } from '@gondola/service-kit/http/request-fields';
import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, IsBoolean, IsNotEmpty, IsString } from 'class-validator';
import { REGISTRATION_PROBLEMS, type RegistrationNotice, type RegistrationProblem } from './judge-registration.ts';
import { RegistrationAttemptEntity } from './registration-attempt.entity.ts';
import { REGISTRATION_OUTCOMES, type RegistrationOutcome } from './registration-outcome.ts';

const MAX_EVENTS = 100;
const TENANT = 'tenant is the id of a tenant';
const URL = 'url is where the platform is to deliver';
const EVENTS = `events is a list of at most ${MAX_EVENTS} event names beside the documented ones`;

export class RegistrationsQuery {
  @QueryParameter('Of one tenant')
  readonly tenant?: string;
}

/** A request to register the webhook, or to show what that would do. */
export class RegistrationRequest {
  @ApiProperty()
  @IsString({ message: TENANT })
  @IsNotEmpty({ message: TENANT })
  readonly tenant!: string;

  @ApiProperty({ description: 'https://…/webhooks/platform/{tenant}' })
  @IsString({ message: URL })
  @IsNotEmpty({ message: URL })
  readonly url!: string;

  @ApiPropertyOptional({ type: [String], description: 'Event names beside the documented ones and the profile’s' })
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

/** An attempt as operators see it. */
export class RegistrationAttempt extends OmitType(RegistrationAttemptEntity, []) {}

/** What would be, or was, asked of the platform. */
export class Registration {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty()
  readonly url!: string;

  @ApiProperty({ type: [String] })
  readonly events!: readonly string[];

  /** `dry-run`: nothing was sent. Every other end is an error answer, so that nobody takes it for done. */
  @ApiProperty({ enum: ['dry-run', 'registered'] })
  readonly outcome!: 'registered' | 'dry-run';

  @ApiProperty()
  readonly message!: string;

  @ApiProperty({ description: 'What can never be changed' })
  readonly permanence!: string;

  @ApiProperty({ type: [Problem], description: 'To be put right before it can be confirmed; empty after it was sent' })
  readonly problems!: readonly RegistrationProblem[];

  @ApiProperty({ type: [Warning] })
  readonly warnings!: readonly RegistrationNotice[];

  @ApiProperty({ type: [RegistrationAttempt] })
  readonly attempts!: readonly Readonly<RegistrationAttempt>[];
}

/** What is known of a tenant's webhook. */
export class RegistrationState {
  @ApiProperty()
  readonly tenant!: string;

  @ApiProperty({ type: String, nullable: true, description: 'Of what is, or probably is, registered' })
  readonly url!: string | null;

  @ApiProperty({ type: [String], nullable: true })
  readonly events!: readonly string[] | null;

  @ApiProperty({ enum: ['none', ...REGISTRATION_OUTCOMES] })
  readonly outcome!: RegistrationOutcome | 'none';

  @ApiProperty()
  readonly message!: string;

  @ApiProperty({ type: Date, nullable: true })
  readonly lastNotificationAt!: Date | null;

  @ApiProperty({ type: [RegistrationAttempt] })
  readonly attempts!: readonly Readonly<RegistrationAttempt>[];
}

export class RegistrationStates {
  @ApiProperty({ type: [RegistrationState], description: 'By tenant' })
  readonly registrations!: readonly RegistrationState[];
}
