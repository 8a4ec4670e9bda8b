import type { CallObservation } from '@gondola/platform-client/call-observation';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import type { Logger } from '@gondola/service-kit/logger';
import type { Startable } from '@gondola/service-kit/startable';
import type { TenantConfig } from '@gondola/service-kit/tenants-file';
import type { CatalogPlatform } from '../application/catalog-platform.ts';
import { PlatformAdapter } from './platform.adapter.ts';

/** One client of the platform for each tenant; each call is one line of the log. */
export class PlatformClients implements Startable {
  readonly name = 'platform clients';
  readonly #clients: ReadonlyMap<string, PlatformClient>;
  readonly #adapters: ReadonlyMap<string, CatalogPlatform>;

  constructor(tenants: readonly TenantConfig[], timeoutMs: number, logger: Logger) {
    this.#clients = new Map(
      tenants.map(({ id, contractAccountId, platform }) => [
        id,
        new PlatformClient({
          tenant: id,
          contractAccountId,
          ...platform,
          timeoutMs,
          observe: (observation) => tell(logger, observation),
        }),
      ]),
    );
    this.#adapters = new Map([...this.#clients].map(([id, client]) => [id, new PlatformAdapter(client)]));
  }

  of(tenant: string): CatalogPlatform {
    const client = this.#adapters.get(tenant);
    if (client === undefined) throw new Error('A lane of a tenant that is not configured');
    return client;
  }

  async start(): Promise<void> {}

  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}

/** A tenant whose credentials are refused is what somebody has to act on; the rest is routine. */
function tell(logger: Logger, { tenant, route, kind, cause, status, ms }: CallObservation): void {
  const fields = { tenant, route, outcome: kind, reason: cause, statusCode: status, durationMs: Math.round(ms) };
  if (cause === 'credentials')
    logger.error(fields, 'The platform refuses the credentials of a tenant, which is paused');
  else logger.info(fields, 'Platform called');
}
