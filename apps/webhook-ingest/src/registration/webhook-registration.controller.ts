import {
  BadRequestException,
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
  UseInterceptors,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RegisterWebhook } from './register-webhook.service.ts';
import { CONFIG } from '@gondola/service-kit/run/injected';
import type { Config } from '../config.ts';
import type { RegistrationNotice, RegistrationProblem } from './judge-registration.ts';
import { outcomeSentence, PERMANENCE, type RegistrationOutcome, standingRegistration } from './registration-outcome.ts';
import { type RegistrationAttempt, RegistrationsRepository } from './registrations.repository.ts';
import { DatabaseAwayInterceptor } from '../operations/database-away.interceptor.ts';
import { bodyFields, onlyParams, type QueryParams, textParam } from '../operations/request-fields.dto.ts';

/** What would be, or was, asked of the platform. */
interface RegistrationAnswer {
  readonly tenant: string;
  readonly url: string;
  readonly events: readonly string[];
  /** `dry-run`: nothing was sent. Every other end is an error answer, so that nobody takes it for done. */
  readonly outcome: 'registered' | 'dry-run';
  readonly message: string;
  readonly permanence: string;
  /** What has to be put right before it can be confirmed; empty after it was sent. */
  readonly problems: readonly RegistrationProblem[];
  readonly warnings: readonly RegistrationNotice[];
  readonly attempts: readonly RegistrationAttempt[];
}

interface RegistrationState {
  readonly tenant: string;
  /** What is known to be, or is probably, registered; null where nothing is. */
  readonly url: string | null;
  readonly events: readonly string[] | null;
  readonly outcome: RegistrationOutcome | 'none';
  readonly message: string;
  readonly lastNotificationAt: Date | null;
  readonly attempts: readonly RegistrationAttempt[];
}

const MAX_EVENTS = 100;
const IS_READY = 'Nothing was sent. With confirm: true it is registered, and can never be changed.';
const IS_FORBIDDEN = 'Nothing was sent, and nothing can be until the problems are put right.';
const NOTHING_TRIED = 'No webhook was ever registered from here.';

/** The tenant's one webhook on the platform (rule 37). The token is in no answer. */
@Controller('api/webhook-registration')
@UseInterceptors(DatabaseAwayInterceptor)
export class WebhookRegistrationController {
  readonly #registering: RegisterWebhook;
  readonly #attempts: RegistrationsRepository;
  readonly #tenants: readonly string[];

  constructor(registering: RegisterWebhook, attempts: RegistrationsRepository, @Inject(CONFIG) config: Config) {
    this.#registering = registering;
    this.#attempts = attempts;
    this.#tenants = config.tenants.map(({ id }) => id);
  }

  @Post()
  @HttpCode(200)
  async register(@Body() body: unknown, @Req() request: FastifyRequest): Promise<RegistrationAnswer> {
    const { tenant, url, events = [], confirm = false } = bodyFields(body, ['tenant', 'url', 'events', 'confirm']);
    if (typeof tenant !== 'string' || tenant === '') throw new BadRequestException('tenant is the id of a tenant');
    if (typeof url !== 'string' || url === '') throw new BadRequestException('url is where the platform is to deliver');
    if (!isTextList(events)) {
      throw new BadRequestException(`events is a list of at most ${MAX_EVENTS} event names beside the documented ones`);
    }
    if (typeof confirm !== 'boolean') throw new BadRequestException('confirm is true or false');
    const { ip: from, traceparent } = request;
    const result = await this.#registering.run({ tenant, url, events, isConfirmed: confirm, from, traceparent });
    if (result.kind === 'tenant-unknown') throw new BadRequestException(this.#unknownTenant());
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
      tenant,
      url: plan.url,
      events: plan.events,
      outcome: result.kind === 'shown' ? 'dry-run' : 'registered',
      message: result.kind === 'shown' ? shown : outcomeSentence('registered'),
      permanence: PERMANENCE,
      problems: plan.problems,
      warnings: plan.warnings,
      attempts,
    };
  }

  @Get()
  async show(@Query() query: QueryParams): Promise<{ readonly registrations: readonly RegistrationState[] }> {
    onlyParams(query, ['tenant']);
    const tenant = textParam(query, 'tenant');
    if (tenant !== undefined && !this.#tenants.includes(tenant)) throw new BadRequestException(this.#unknownTenant());
    const registrations: RegistrationState[] = [];
    for (const id of tenant === undefined ? this.#tenants : [tenant]) registrations.push(await this.#stateOf(id));
    return { registrations };
  }

  async #stateOf(tenant: string): Promise<RegistrationState> {
    const attempts = await this.#attempts.of(tenant);
    const lastNotificationAt = await this.#attempts.lastReceivedAt(tenant);
    const { attempt: standing, outcome } = standingRegistration(attempts);
    return {
      tenant,
      url: standing?.url ?? null,
      events: standing?.events ?? null,
      outcome,
      message: outcome === 'none' ? NOTHING_TRIED : outcomeSentence(outcome),
      lastNotificationAt,
      attempts,
    };
  }

  #unknownTenant(): string {
    return `tenant is one of the tenants file: ${this.#tenants.join(', ')}`;
  }
}

/** How each end that is none is answered; the attempt itself stays to be read. */
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
  const message = said === null ? outcomeSentence(outcome) : `${outcomeSentence(outcome)} (${said})`;
  return new HttpException({ code, message }, status);
}

function isTextList(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.length <= MAX_EVENTS && value.every((name) => typeof name === 'string');
}
