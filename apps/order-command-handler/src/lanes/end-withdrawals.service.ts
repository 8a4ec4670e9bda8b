import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable } from '@nestjs/common';
import { planLane } from './lane-plan.ts';
import { LoadOrderLanes, type PlannedLane } from './load-order-lanes.service.ts';
import { OrderTenants } from './order-tenants.service.ts';
import { SaveOrderLanes } from './save-order-lanes.service.ts';

/**
 * Ends each `WithdrawCommand` of orders whose step fails, with the command that it withdraws. It is decided by the rows
 * of commands alone, so an order that cannot be loaded keeps none of its commands that was not sent (rule 19).
 *
 * A command that was sent stays open: what became of it is in the facts, and an `unconfirmed` could not be corrected
 * without the order's row (guarantee 3).
 */
@Injectable()
export class EndWithdrawals {
  constructor(
    private readonly load: LoadOrderLanes,
    private readonly save: SaveOrderLanes,
    private readonly tenants: OrderTenants,
    private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** To be called in a step that fails, while no call of it is under way. Never throws: the step's failure counts. */
  async end(lanes: readonly ClaimedLane[]): Promise<void> {
    try {
      let left = lanes;
      while (left.length > 0) left = await this.#endNext(left);
    } catch (err) {
      this.logger.warn({ err, count: lanes.length }, 'Withdrawals of orders whose step failed could not be ended');
    }
  }

  /** Ends the oldest withdrawal of each lane; returns the lanes that had one. */
  async #endNext(lanes: readonly ClaimedLane[]): Promise<ClaimedLane[]> {
    const loaded = await this.load.loadWithdrawals(lanes);
    const planned = loaded.map((each): PlannedLane => {
      const moment = { nowMs: this.clock.now(), isLagging: false };
      return { loaded: each, plan: planLane(each, moment, this.tenants.of(each.lane.tenant)) };
    });
    const ending = planned.filter(({ plan }) => plan.concluded.length > 0);
    return (await this.save.saveWithin(ending)).map(({ loaded: { lane } }) => lane);
  }
}
