import { Inject, Injectable } from '@nestjs/common';
import { DEFAULT_BREAKER_SETTINGS } from '@gondola/platform-client/circuit-breaker';
import { PlatformClient } from '@gondola/platform-client/platform-client';
import type { Pause } from '@gondola/platform-client/tenant-passage';
import type { LanesWithUploadsConfig } from '../config/lanes-config.ts';
import type { TenantConfig } from '../config/tenants-file.ts';
import { Registry } from 'prom-client';
import { CONFIG, TENANTS } from '../config/injected.ts';
import { registerCertificates } from '../metrics/certificate-gauge.ts';
import { collectedGauge } from '../metrics/collected-gauge.ts';
import { Clock } from '../run/clock.ts';
import { Randomness } from '../run/randomness.ts';
import type { Startable } from '../run/startable.ts';
import { PlatformCallReport } from './platform-call-report.ts';
import { callSpan } from './call-span.ts';
import { ShadowCalls } from './shadow-calls.ts';

/** Time limits of whole calls, in milliseconds. */
export type CallTimes = Pick<LanesWithUploadsConfig, 'platformTimeoutMs'> &
  Partial<Pick<LanesWithUploadsConfig, 'uploadTimeoutMs'>>;

/**
 * A circuit breaker is open for at most this part of a command's deadline: an outage that ends within the first two
 * thirds of a deadline leaves time for the last attempt.
 */
const OPEN_PART_OF_DEADLINE = 1 / 10;
const MS_PER_SECOND = 1_000;

/**
 * One client of the platform per tenant, so that all calls of an app share the tenant's bulkhead and circuit
 * breaker; each call is reported. To be stopped after the code that makes the calls.
 */
@Injectable()
export class PlatformClients implements Startable {
  readonly name = 'platform clients';
  readonly #clients: ReadonlyMap<string, PlatformClient>;

  constructor(
    @Inject(TENANTS)
    tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'mode' | 'contractAccountId' | 'platform' | 'deadlines'>>,
    @Inject(CONFIG) { times }: { readonly times: CallTimes },
    report: PlatformCallReport,
    registry: Registry,
    clock: Clock,
    randomness: Randomness,
    shadowCalls: ShadowCalls,
  ) {
    const { platformTimeoutMs: timeoutMs, uploadTimeoutMs } = times;
    const clients = tenants.map(({ id, mode, contractAccountId, platform, deadlines }) => {
      const client = new PlatformClient({
        tenant: id,
        contractAccountId,
        ...platform,
        timeoutMs,
        breaker: {
          maxOpenMs: Math.min(DEFAULT_BREAKER_SETTINGS.maxOpenMs, deadlines.commandMs * OPEN_PART_OF_DEADLINE),
        },
        ...(uploadTimeoutMs !== undefined && { uploadTimeoutMs }),
        observe: (observation) => report.called(observation),
        trace: (call) => callSpan(call, randomness.bytes),
        ...(mode === 'shadow' && {
          shadow: {
            leavesOut: (cameAt) => shadowCalls.leavesOut(id, cameAt),
            store: (changes) => shadowCalls.store(changes),
          },
        }),
      });
      return [id, client] as const;
    });
    this.#clients = new Map(clients);
    const name = 'gondola_platform_pause_age_seconds';
    const help =
      'Seconds since a circuit breaker of this process opened, by route and cause; absent while it is closed';
    collectedGauge(registry, { name, help, labelNames: ['tenant', 'route', 'cause'] }, async () =>
      this.pauses().map(({ tenant, route, cause, since }) => {
        const value = Math.max(0, clock.now() - since) / MS_PER_SECOND;
        return { labels: { tenant, route: route ?? 'all', cause }, value };
      }),
    );
    registerCertificates(registry, 'platform', () => this.#certificates());
  }

  /** Throws for a tenant that is not configured; its lanes have no worker, so this does not happen in operation. */
  of(tenant: string): PlatformClient {
    const client = this.#clients.get(tenant);
    if (client === undefined) throw new Error('The tenant is not configured, so it has no platform client');
    return client;
  }

  /** The open circuit breakers of all tenants. */
  pauses(): (Pause & { readonly tenant: string })[] {
    return [...this.#clients].flatMap(([tenant, client]) => client.pauses().map((pause) => ({ tenant, ...pause })));
  }

  /** Ends a pause of this process: the next call is the trial call. Without a route that of all calls. */
  endPause(tenant: string, route: string | null): void {
    this.#clients.get(tenant)?.endPause(route);
  }

  #certificates(): ReadonlyMap<string, number> {
    const known = [...this.#clients].flatMap(([tenant, client]) => {
      const expiresAt = client.certificateExpiresAt();
      return expiresAt === null ? [] : [[tenant, expiresAt] as const];
    });
    return new Map(known);
  }

  async start(): Promise<void> {}

  /** Waits for open calls, then closes the connections. */
  async stop(): Promise<void> {
    await Promise.all([...this.#clients.values()].map((client) => client.close()));
  }
}
