import type { WebhookAnswer } from '@gondola/platform-client/answers';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import type { WebhookRegistration } from '@gondola/platform-client/wire-bodies';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { PlatformCallReport } from '@gondola/service-kit/platform/platform-call-report';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';

/**
 * Time-out of the whole call. A stop of the app does not wait for the call, and the attempt then finishes without
 * an outcome.
 */
export const REGISTRATION_TIMEOUT_MS = 30_000;

/**
 * Makes the app's only call to the platform. Each call has its own client, because it happens once in a tenant's
 * life.
 */
@Injectable()
export class WebhookRegistrar {
  constructor(
    /** Reads the tenants with their secrets. */
    @Inject(CONFIG) private readonly config: Pick<Config, 'platformTenants'>,
    private readonly report: PlatformCallReport,
  ) {}

  /** @throws ConfigError if the tenant's credentials cannot be read */
  access(tenant: string): TenantConfig {
    const found = this.config.platformTenants().find(({ id }) => id === tenant);
    if (found === undefined) throw new Error('The tenant of the call is not in the tenants file');
    return found;
  }

  async register(
    { id: tenant, contractAccountId, platform }: TenantConfig,
    registration: WebhookRegistration,
    traceparent: string,
  ): Promise<WebhookAnswer> {
    const client = new PlatformClient({
      tenant,
      contractAccountId,
      ...platform,
      timeoutMs: REGISTRATION_TIMEOUT_MS,
      observe: (observation) => this.report.called(observation),
    });
    try {
      return await client.registerWebhook(registration, { traceparent });
    } finally {
      await client.close();
    }
  }
}
