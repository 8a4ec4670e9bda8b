import { AdvisoryRelayLock, type HeldLock } from '@gondola/lanes/outbox/relay-lock';
import { CONFIG } from '@gondola/service-kit/config/injected';
import { Database } from '@gondola/service-kit/database/database';
import { LOGGER, type Logger } from '@gondola/service-kit/logging/logger';
import { RepeatingTask } from '@gondola/service-kit/run/repeating-task';
import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config.ts';
import { MIRROR_TIMES } from './judge-attempt.ts';
import { MirrorDeliveries } from './mirror-deliveries.repository.ts';
import { MirrorLane } from './mirror-lane.service.ts';
import { MirrorMetrics } from './mirror.metrics.ts';

/** Also how often the connection that holds the lock shows that it lives. */
const EVERY_MS = 1_000;

/**
 * Passes stored notifications on to the tenants' mirrors. One replica of a schema does so, by a lock as the relay's: a
 * replica that does not know yet that it lost the lock only repeats what it was sending. Tested in mirror.e2e.spec.ts.
 */
@Injectable()
export class MirrorSender extends RepeatingTask {
  #held: HeldLock | null = null;
  #lanes: readonly MirrorLane[] = [];

  constructor(
    private readonly database: Database,
    private readonly deliveries: MirrorDeliveries,
    private readonly metrics: MirrorMetrics,
    @Inject(CONFIG) private readonly config: Pick<Config, 'mirrors'>,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    super({ name: 'mirror', everyMs: EVERY_MS, run: () => this.#tick(), logger });
  }

  override async start(): Promise<void> {
    if (this.config.mirrors.size > 0) await super.start();
  }

  override async stop(): Promise<void> {
    await super.stop();
    await this.#giveUp();
  }

  async #tick(): Promise<void> {
    if (this.#held === null) return await this.#take();
    try {
      await this.#held.connection.query('SELECT 1');
    } catch (error) {
      await this.#giveUp();
      throw error;
    }
  }

  async #take(): Promise<void> {
    this.#held = await new AdvisoryRelayLock(this.database, 'mirror').tryAcquire(() => {});
    if (this.#held === null) return;
    const { deliveries, metrics, logger } = this;
    this.#lanes = [...this.config.mirrors].map(
      ([tenant, mirror]) => new MirrorLane({ tenant, mirror, deliveries, metrics, logger, times: MIRROR_TIMES }),
    );
    await Promise.all(this.#lanes.map((lane) => lane.start()));
    logger.info({ component: this.name, tenants: [...this.config.mirrors.keys()] }, 'The mirrors are active');
  }

  async #giveUp(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.stop()));
    this.#lanes = [];
    this.#held?.release();
    this.#held = null;
  }
}
