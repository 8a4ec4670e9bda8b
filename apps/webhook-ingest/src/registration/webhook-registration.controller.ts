import {
  Body,
  ConflictException,
  Controller,
  Get,
  HttpCode,
  HttpException,
  HttpStatus,
  Inject,
  Post,
  Query,
  Req,
  UsePipes,
} from '@nestjs/common';
import { ApiOkResponse, ApiOperation } from '@gondola/service-kit/http/api-docs';
import { CommandLine, Operation } from '@gondola/service-kit/http/operation';
import type { FastifyRequest } from 'fastify';
import { RegisterWebhook } from './register-webhook.service.ts';
import { ApiErrors } from '@gondola/service-kit/http/error.dto';
import { RequestPipe } from '@gondola/service-kit/http/request.pipe';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { knownTenant } from '@gondola/service-kit/http/tenant-of-request';
import { TENANTS } from '@gondola/service-kit/config/injected';
import {
  OUTCOME_SENTENCES,
  PERMANENCE,
  type RegistrationOutcome,
  standingRegistration,
} from './registration-outcome.ts';
import { RegistrationsRepository } from './registrations.repository.ts';
import { WRONG } from '../inbox/operations.dto.ts';
import {
  Registration,
  RegistrationRequest,
  type RegistrationState,
  RegistrationsQuery,
  RegistrationStates,
} from './registration.dto.ts';

const IS_READY = 'Nothing was sent. With confirm: true it is registered, and can never be changed.';
const IS_FORBIDDEN = 'Nothing was sent, and nothing can be until the problems are put right.';
const NOTHING_TRIED = 'No webhook was ever registered from here.';

/** The tenant's only webhook on the platform (rule 37). No answer holds the token. */
@Controller('api/webhook-registration')
@UsePipes(RequestPipe)
export class WebhookRegistrationController {
  constructor(
    private readonly registering: RegisterWebhook,
    private readonly attempts: RegistrationsRepository,
    @Inject(TENANTS) private readonly tenants: readonly TenantConfig<'webhook'>[],
  ) {}

  @Post()
  @Operation({ role: 'act', tenant: 'body', action: { name: 'register-webhook' } })
  @CommandLine('webhook register', {
    pt: 'Registra o webhook de um tenant; sem --confirm, só mostra o que seria registrado',
    en: 'Registers the webhook of a tenant; without --confirm only shows what would be registered',
  })
  @HttpCode(200)
  @ApiOperation({
    summary: 'Shows what registering the webhook would do; with confirm: true, does it, for good',
    description:
      'The platform has no route to change, delete or show a webhook. It is registered for all documented events and ' +
      'those of the wire profile (moreEventTypes), with the first of the tenant’s webhook.tokens, which is never shown. ' +
      'A local url is taken only where the tenant’s platform is as local: on this machine, or in this network.',
  })
  @ApiOkResponse({ description: 'The planned registration, or the completed one', type: Registration })
  @ApiErrors({
    400: WRONG,
    409:
      'The platform has a webhook of the tenant already: WEBHOOK_EXISTS (not from here), WEBHOOK_EXISTS_OURS, ' +
      'WEBHOOK_EXISTS_PROBABLY_OURS (an earlier answer was lost); or CONFLICT: another registration is under way',
    422:
      'Confirmed, but something speaks against it and nothing was sent (REGISTRATION_NOT_POSSIBLE), or the platform ' +
      'refused (PLATFORM_REFUSED)',
    502: 'Sent, without an answer that says whether it is registered (PLATFORM_SILENT)',
    503: 'Nothing reached the platform (PLATFORM_NOT_REACHED)',
  })
  async register(@Body() body: RegistrationRequest, @Req() request: FastifyRequest): Promise<Registration> {
    const { url, events, confirm } = body;
    const tenant = knownTenant(body.tenant, this.tenants);
    const { ip: from, traceparent } = request;
    const result = await this.registering.run({ tenant, url, events, isConfirmed: confirm, from, traceparent });
    if (result.kind === 'under-way') {
      throw new ConflictException('Another registration of this tenant is under way; ask again in a minute');
    }
    if (result.kind === 'forbidden') {
      const message = result.plan.problems.map((problem) => problem.message).join('. ');
      throw new HttpException({ code: 'REGISTRATION_NOT_POSSIBLE', message }, HttpStatus.UNPROCESSABLE_ENTITY);
    }
    if (result.kind === 'sent' && result.outcome !== 'registered') {
      throw notRegistered(result.outcome, result.attempts.at(-1)?.platformMessage ?? null);
    }
    const { plan, attempts } = result;
    const shown = plan.problems.length === 0 ? IS_READY : IS_FORBIDDEN;
    return {
      tenant: tenant.id,
      ...plan,
      outcome: result.kind === 'shown' ? 'dry-run' : 'registered',
      message: result.kind === 'shown' ? shown : OUTCOME_SENTENCES.registered,
      permanence: PERMANENCE,
      attempts,
    };
  }

  @Get()
  @Operation({ role: 'see', tenant: 'query', reveals: 'unmasked', action: { name: 'reveal-webhook-registration' } })
  @CommandLine('webhook status', { pt: 'Mostra o webhook registrado', en: 'Shows the registered webhook' })
  @ApiOperation({ summary: 'What is known of the webhooks of all tenants, or of one' })
  @ApiOkResponse({ description: 'State of the webhook of each tenant', type: RegistrationStates })
  @ApiErrors({ 400: WRONG })
  async show(@Query() { tenant }: RegistrationsQuery): Promise<RegistrationStates> {
    const asked = tenant === undefined ? this.tenants : [knownTenant(tenant, this.tenants)];
    const registrations: RegistrationState[] = [];
    for (const { id } of asked) registrations.push(await this.#stateOf(id));
    return { registrations };
  }

  async #stateOf(tenant: string): Promise<RegistrationState> {
    const attempts = await this.attempts.of(tenant);
    const lastNotificationAt = await this.attempts.lastReceivedAt(tenant);
    const { attempt: standing, outcome } = standingRegistration(attempts);
    return {
      tenant,
      url: standing?.url ?? null,
      events: standing?.events ?? null,
      outcome,
      message: outcome === 'none' ? NOTHING_TRIED : OUTCOME_SENTENCES[outcome],
      lastNotificationAt,
      attempts,
    };
  }
}

/** Answer of each outcome other than `registered`; the attempt itself stays readable. */
const NOT_REGISTERED: Readonly<Record<Exclude<RegistrationOutcome, 'registered'>, readonly [number, string]>> = {
  exists: [HttpStatus.CONFLICT, 'WEBHOOK_EXISTS'],
  'exists-ours': [HttpStatus.CONFLICT, 'WEBHOOK_EXISTS_OURS'],
  'exists-probably-ours': [HttpStatus.CONFLICT, 'WEBHOOK_EXISTS_PROBABLY_OURS'],
  refused: [HttpStatus.UNPROCESSABLE_ENTITY, 'PLATFORM_REFUSED'],
  unknown: [HttpStatus.BAD_GATEWAY, 'PLATFORM_SILENT'],
  'not-sent': [HttpStatus.SERVICE_UNAVAILABLE, 'PLATFORM_NOT_REACHED'],
};

function notRegistered(outcome: Exclude<RegistrationOutcome, 'registered'>, said: string | null): HttpException {
  const [status, code] = NOT_REGISTERED[outcome];
  const message = said === null ? OUTCOME_SENTENCES[outcome] : `${OUTCOME_SENTENCES[outcome]} (${said})`;
  return new HttpException({ code, message }, status);
}
