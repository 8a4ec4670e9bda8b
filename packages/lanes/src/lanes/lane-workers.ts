import { Inject, Injectable } from '@nestjs/common';

import type { LanesConfig } from '@gondola/service-kit/config/lanes-config';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import type { Startable } from '@gondola/service-kit/run/startable';

import { ShadowModes } from '../modes/shadow-modes.ts';
import { groupText, LanePoll } from './lane-poll.ts';
import { LaneWorker, type LaneWorkerOptions } from './lane-worker.ts';
import { type LaneGroup, Lanes } from './lanes.ts';

/** Steps of one kind of lane. All lanes of one step belong to one tenant. */
export type LaneSteps = Omit<
  LaneWorkerOptions,
  'name' | 'lanes' | 'poll' | 'tenant' | 'concurrency' | 'leaseMs' | 'logger' | 'mayClaim'
>;

export type LaneTenant = Pick<TenantConfig, 'id'> & { readonly platform: { readonly concurrency: number } };

/** Steps that may run in addition while all calls of the tenant are in use. */
const STEPS_WITHOUT_CALLS = 2;

/**
 * An app's workers, one per tenant and kind of lane, so that a failure of one stops no other (guarantee 5). They
 * stop in parallel: each may wait some seconds for its steps, and one after another would take longer than the ten
 * seconds of a shutdown.
 */
@Injectable()
export class LaneWorkers implements Startable {
  readonly name = 'lane workers';
  readonly #workers: LaneWorker[] = [];
  readonly #poll: LanePoll;

  constructor(
    private readonly lanes: Lanes,
    @Inject(TENANTS) private readonly tenants: readonly LaneTenant[],
    @Inject(CONFIG) private readonly config: { readonly times: Pick<LanesConfig, 'leaseMs'> },
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(ShadowModes) private readonly modes: Pick<ShadowModes, 'mayWork'>,
  ) {
    this.#poll = new LanePoll({ lanes, logger });
  }

  /**
   * Adds a worker per tenant for one kind of lane. To be called in `onModuleInit`; all workers start later,
   * together.
   */
  add(steps: LaneSteps): void {
    const { lanes, logger } = this;
    const poll = this.#poll;
    for (const { id: tenant, platform } of this.tenants) {
      const name = `${steps.kind} lanes of ${tenant}`;
      const concurrency = platform.concurrency + STEPS_WITHOUT_CALLS;
      const { leaseMs } = this.config.times;
      const mayClaim = () => this.modes.mayWork(tenant);
      this.#workers.push(
        new LaneWorker({ ...steps, name, tenant, lanes, poll, concurrency, leaseMs, logger, mayClaim }),
      );
    }
  }

  async start(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.start()));
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /**
   * To be called after a wake in this process: the workers of `groups` claim at once. Without groups, looks for ready
   * lanes of all workers.
   */
  wake(groups?: readonly LaneGroup[]): void {
    if (groups === undefined) return this.#poll.wake();
    const woken = new Set(groups.map(groupText));
    for (const worker of this.#workers) if (woken.has(groupText(worker))) worker.claimSoon();
  }
}
