import { Lanes } from '@gondola/lanes/lanes/lanes';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { Database } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { CONFIG, TENANTS } from '@gondola/service-kit/config/injected';
import { Inject, Injectable } from '@nestjs/common';
import { DAY_MS } from '@gondola/shared/durations';
import type { Config } from '../config.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { EraseOrderContent } from './erase-order-content.service.ts';

/** Most lanes in one statement. */
const BATCH = 500;

/**
 * Periodically erases the personal data of orders whose status is older than the tenant's retention. The facts stay
 * without it: a late 300 would create a fully deleted order again.
 */
@Injectable()
export class RedactOldOrders extends RepeatingTask {
  constructor(
    private readonly database: Database,
    private readonly lanes: Lanes,
    private readonly facts: OrderFactsRepository,
    private readonly content: EraseOrderContent,
    private readonly clock: Clock,
    @Inject(TENANTS) tenants: ReadonlyArray<Pick<TenantConfig, 'id' | 'orders'>>,
    @Inject(CONFIG) { retention: { everyMs } }: Pick<Config, 'retention'>,
    @Inject(LOGGER) logger: Logger,
  ) {
    const run = async (): Promise<void> => {
      for (const { id, orders } of tenants) await this.#redact(id, orders.retention.contentDays);
    };
    super({ name: 'retention', everyMs, run, logger });
  }

  /** One batch; the rest waits for the next run, so that no tenant delays another. */
  async #redact(tenant: string, days: number): Promise<void> {
    const before = new Date(this.clock.now() - days * DAY_MS);
    const laneIds = await this.facts.lanesToRedact(tenant, before, BATCH);
    const keys = await this.lanes.keysOf(this.database, laneIds);
    for (const [laneId, key] of keys) {
      await this.database.transaction(async (tx) => {
        await this.lanes.wake(tx, [key]);
        await this.content.eraseFacts(tx, laneId);
      });
    }
  }
}
