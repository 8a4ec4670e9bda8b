import { ShadowModes } from '@gondola/lanes/modes/shadow-modes';
import type { WebhookAnswer } from '@gondola/platform-client/answers';
import { ConfigError } from '@gondola/service-kit/config/config';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { Inject, Injectable } from '@nestjs/common';
import { scrubText } from '@gondola/service-kit/logging/scrub';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { judgeRegistration, type RegistrationPlan } from './judge-registration.ts';
import { type RegistrationOutcome, registrationOutcome } from './registration-outcome.ts';
import type { RegistrationAttemptEntity } from './registration-attempt.entity.ts';
import { RegistrationsRepository } from './registrations.repository.ts';
import { REGISTRATION_TIMEOUT_MS, WebhookRegistrar } from './webhook-registrar.adapter.ts';

export interface RegistrationRequest {
  /** As loaded at boot: deliveries are compared with the same tokens. */
  readonly tenant: TenantConfig<'webhook'>;
  readonly url: string;
  readonly events: readonly string[];
  /** False: the registration is only shown, and nothing is sent. */
  readonly isConfirmed: boolean;
  /** Address of the caller. */
  readonly from: string;
  readonly traceparent: string;
}

export type RegistrationResult =
  | { readonly kind: 'under-way' }
  | { readonly kind: 'shown'; readonly plan: RegistrationPlan; readonly attempts: RegistrationAttemptEntity[] }
  /** Confirmed, but a problem forbids it. */
  | { readonly kind: 'forbidden'; readonly plan: RegistrationPlan }
  | {
      readonly kind: 'sent';
      readonly plan: RegistrationPlan;
      readonly outcome: RegistrationOutcome;
      readonly attempts: RegistrationAttemptEntity[];
    };

/** Age after which the process of an unfinished attempt counts as gone. */
const ABANDONED_MS = 2 * REGISTRATION_TIMEOUT_MS;
const MAX_MESSAGE_LENGTH = 300;

/**
 * Registers a tenant's webhook, which can never be changed (rule 37). The registration is shown first, and sent
 * only if it is confirmed and no problem forbids it. It is stored before the call, and its answer is read in the
 * light of earlier attempts. Tested in webhook-registration.int.spec.ts.
 */
@Injectable()
export class RegisterWebhook {
  constructor(
    private readonly attempts: RegistrationsRepository,
    private readonly registrar: WebhookRegistrar,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ShadowModes) private readonly modes: Pick<ShadowModes, 'of' | 'ready'>,
  ) {}

  async run(request: RegistrationRequest): Promise<RegistrationResult> {
    const { tenant } = request;
    await this.modes.ready();
    const isInShadow = this.modes.of(tenant.id, null) === 'shadow';
    const access = this.#accessOf(tenant.id);
    const judged = judgeRegistration({
      tenant: tenant.id,
      url: request.url,
      events: request.events,
      tokens: tenant.webhook.tokens,
      platformUrl: tenant.platform.baseUrl,
      profileEvents: tenant.platform.profile.moreEventTypes,
    });
    const plan = planOf(judged, { id: tenant.id, isInShadow }, 'problem' in access ? access.problem : null);
    if (!request.isConfirmed) return { kind: 'shown', plan, attempts: await this.attempts.of(tenant.id) };
    if ('problem' in access || plan.problems.length > 0) {
      return { kind: 'forbidden', plan };
    }
    return this.#send(request, plan, access);
  }

  async #send(
    { tenant: { id: tenant, webhook }, from, traceparent }: RegistrationRequest,
    plan: RegistrationPlan,
    access: TenantConfig,
  ): Promise<RegistrationResult> {
    const { url, events } = plan;
    const authToken = webhook.tokens[0]!;
    const id = await this.attempts.begin({ tenant, url, events, requestedFrom: from }, ABANDONED_MS);
    if (id === null) return { kind: 'under-way' };
    const answer = await this.registrar.register(access, { url, authToken, eventTypes: events }, traceparent);
    const earlier = (await this.attempts.of(tenant)).filter((attempt) => attempt.id !== id);
    const outcome = registrationOutcome(answer, earlier);
    // Logged before it is stored: if the database is away now, the log still holds the outcome.
    this.logger.info(
      { tenant, outcome, count: events.length, traceparent },
      'The registration of a webhook was attempted',
    );
    await this.attempts.finish(id, {
      outcome,
      platformId: answer.kind === 'registered' ? answer.id : null,
      platformMessage: messageOf(answer, authToken),
    });
    return { kind: 'sent', plan, outcome, attempts: await this.attempts.of(tenant) };
  }

  /** Reads the credentials for this call only; the process holds none otherwise. */
  #accessOf(tenant: string): TenantConfig | { readonly problem: string } {
    try {
      return this.registrar.access(tenant);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const problems = error.problems.map(({ where, problem }) => `${where}: ${problem}`).join('; ');
      return { problem: `This process needs the credentials of the platform to register a webhook. ${problems}` };
    }
  }
}

/** The registration with the problems of its process and of its tenant. */
function planOf(
  judged: RegistrationPlan,
  { id, isInShadow }: { readonly id: string; readonly isInShadow: boolean },
  credentials: string | null,
): RegistrationPlan {
  const problems = [...judged.problems];
  if (credentials !== null) problems.push({ code: 'PLATFORM_CREDENTIALS', message: credentials });
  if (isInShadow) {
    const message = `Tenant ${id} is in shadow (mode), which changes nothing at the platform; the one webhook is registered once it is live`;
    problems.push({ code: 'TENANT_IN_SHADOW', message });
  }
  return { ...judged, problems };
}

/** The platform's message without the token, which the platform may have repeated. */
function messageOf(answer: WebhookAnswer, token: string): string | null {
  if (answer.kind === 'unavailable') return answer.cause;
  if (answer.kind !== 'refused' && answer.kind !== 'unknown') return null;
  const said = answer.message ?? '';
  const text = [token, JSON.stringify(token).slice(1, -1), encodeURIComponent(token)].reduce(
    (rest, form) => rest.replaceAll(form, '[removed]'),
    said,
  );
  const status = answer.status === undefined ? (answer.kind === 'unknown' ? answer.cause : '') : `${answer.status}`;
  return scrubText(`${status} ${text}`.trim(), MAX_MESSAGE_LENGTH);
}
