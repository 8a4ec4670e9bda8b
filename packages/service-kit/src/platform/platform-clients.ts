import type { CallObservation } from '@gondola/platform-client/call-observation';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import type { Logger } from '../logging/logger.ts';
import type { Startable } from '../run/startable.ts';
import type { TenantConfig } from '../config/tenants-file.ts';

export interface PlatformClientsOptions<Adapter> {
  readonly tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'contractAccountId' | 'platform'>>;
  /** Of a whole call, in milliseconds. */
  readonly timeoutMs: number;
  /** Of a whole call that sends files, in milliseconds. */
  readonly uploadTimeoutMs?: number;
  readonly logger: Logger;
  /** What the app's use cases see of a client. */
  readonly adapt: (client: PlatformClient) => Adapter;
}

/**
 * One client of the platform for each tenant, so that all of an app's calls share the tenant's concurrency and pause;
 * each call is one line of the log. To be stopped after what makes the calls.
 */
export class PlatformClients<Adapter> implements Startable {
  readonly name = 'platform clients';
  readonly #clients: readonly PlatformClient[];
  readonly #adapters: ReadonlyMap<string, Adapter>;

  constructor({ tenants, timeoutMs, uploadTimeoutMs, logger, adapt }: PlatformClientsOptions<Adapter>) {
    const clients = tenants.map(({ id, contractAccountId, platform }) => {
      const client = new PlatformClient({
        tenant: id,
        contractAccountId,
        ...platform,
        timeoutMs,
        ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
        observe: (observation) => tell(logger, observation),
      });
      return [id, client] as const;
    });
    this.#clients = clients.map(([, client]) => client);
    this.#adapters = new Map(clients.map(([id, client]) => [id, adapt(client)]));
  }

  /** @throws Error for a tenant that is not configured: its lanes have no worker, so that none can ask */
  of(tenant: string): Adapter {
    const adapter = this.#adapters.get(tenant);
    if (adapter === undefined) throw new Error('A tenant that is not configured has no platform');
    return adapter;
  }

  async start(): Promise<void> {}

  /** Waits for the calls under way, and closes the connections. */
  async stop(): Promise<void> {
    await Promise.all(this.#clients.map((client) => client.close()));
  }
}

/** A tenant whose credentials are refused is what somebody has to act on; the rest is routine. */
function tell(logger: Logger, { tenant, route, kind, cause, status, ms }: CallObservation): void {
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
