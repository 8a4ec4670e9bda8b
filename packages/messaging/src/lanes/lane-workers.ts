import { Inject, Injectable } from '@nestjs/common';

import type { LanesConfig } from '@gondola/service-kit/config/lanes-config';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG, TENANTS } from '@gondola/service-kit/run/injected';
import type { Startable } from '@gondola/service-kit/run/startable';

import { LaneWorker, type LaneWorkerOptions } from './lane-worker.ts';
import { Lanes } from './lanes.ts';

/** The steps of one kind of lane. All lanes of one step belong to one tenant. */
export type LaneSteps = Omit<LaneWorkerOptions, 'name' | 'lanes' | 'tenant' | 'concurrency' | 'leaseMs' | 'logger'>;

export type LaneTenant = Pick<TenantConfig, 'id'> & { readonly platform: { readonly concurrency: number } };

/** Steps that find a place although all calls of the tenant are under way. */
const STEPS_WITHOUT_CALLS = 2;

/**
 * An app's workers, one per tenant and kind of lane, so that the trouble of one stops no other (guarantee 5). They stop
 * side by side: each may wait some seconds for its steps, and one after another they would not fit into the ten that a
 * shutdown has.
 */
@Injectable()
export class LaneWorkers implements Startable {
  readonly name = 'lane workers';
  readonly #workers: LaneWorker[] = [];

  constructor(
    private readonly lanes: Lanes,
    @Inject(TENANTS) private readonly tenants: readonly LaneTenant[],
    @Inject(CONFIG) private readonly config: { readonly times: Pick<LanesConfig, 'leaseMs'> },
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Adds a worker per tenant for one kind of lane. For `onModuleInit`: workers start later, all together. */
  add(steps: LaneSteps): void {
    const { lanes, logger } = this;
    for (const { id: tenant, platform } of this.tenants) {
      const name = `${steps.kind} lanes of ${tenant}`;
      const concurrency = platform.concurrency + STEPS_WITHOUT_CALLS;
      const { leaseMs } = this.config.times;
      this.#workers.push(new LaneWorker({ ...steps, name, tenant, lanes, concurrency, leaseMs, logger }));
    }
  }

  async start(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /** Something was woken in this process: look now. */
  wake(): void {
    for (const worker of this.#workers) worker.wake();
  }
}
