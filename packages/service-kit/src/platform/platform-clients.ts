import { Inject, Injectable } from '@nestjs/common';
import type { CallObservation } from '@gondola/platform-client/call-observation';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import type { LanesWithUploadsConfig } from '../config/lanes-config.ts';
import type { TenantConfig } from '../config/tenants-file.ts';
import { type Logger, LOGGER } from '../logging/logger.ts';
import { CONFIG, TENANTS } from '../run/injected.ts';
import type { Startable } from '../run/startable.ts';

/** Limits of whole calls, in milliseconds. */
export type CallTimes = Pick<LanesWithUploadsConfig, 'platformTimeoutMs'> &
  Partial<Pick<LanesWithUploadsConfig, 'uploadTimeoutMs'>>;

/**
 * One client of the platform for each tenant, so that all of an app's calls share the tenant's bulkhead and
 * circuit breaker; each call is one line of the log. To be stopped after what makes the calls.
 */
@Injectable()
export class PlatformClients implements Startable {
  readonly name = 'platform clients';
  readonly #clients: ReadonlyMap<string, PlatformClient>;

  constructor(
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'contractAccountId' | 'platform'>>,
    @Inject(CONFIG) { times }: { readonly times: CallTimes },
    @Inject(LOGGER) logger: Logger,
  ) {
    const { platformTimeoutMs: timeoutMs, uploadTimeoutMs } = times;
    const clients = tenants.map(({ id, contractAccountId, platform }) => {
      const client = new PlatformClient({
        tenant: id,
        contractAccountId,
        ...platform,
        timeoutMs,
        ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
        observe: (observation) => logCall(logger, observation),
      });
      return [id, client] as const;
    });
    this.#clients = new Map(clients);
  }

  /** Throws for a tenant that is not configured: its lanes have no worker, so that none can ask. */
  of(tenant: string): PlatformClient {
    const client = this.#clients.get(tenant);
    if (client === undefined) throw new Error('A tenant that is not configured has no platform');
    return client;
  }

  async start(): Promise<void> {}

  /** Waits for the calls under way, and closes the connections. */
  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

/** A tenant whose credentials are refused is what somebody has to act on; the rest is routine. */
function logCall(logger: Logger, { tenant, route, kind, cause, status, ms }: CallObservation): void {
  const fields = {
    tenant,
    route,
    outcome: kind,
    reason: cause ?? undefined,
    statusCode: status,
    durationMs: Math.round(ms),
  };
  if (cause === 'credentials')
    logger.error(fields, 'The platform refuses the credentials of a tenant, which is paused');
  else logger.info(fields, 'Platform called');
}
