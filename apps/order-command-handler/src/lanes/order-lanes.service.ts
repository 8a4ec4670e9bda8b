import { ConsumedRecords } from '@gondola/kafka/server/consumed-records';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import type { ClaimedLane } from '@gondola/lanes/lanes/lanes';
import { Clock } from '@gondola/service-kit/run/clock';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { ORDER_LANE } from '../facts/order-lane.ts';
import { CallPlatform } from './call-platform.service.ts';
import { EndWithdrawals } from './end-withdrawals.service.ts';
import { planLane } from './lane-plan.ts';
import { type LoadedLane, LoadOrderLanes, type PlannedLane } from './load-order-lanes.service.ts';
import { type OrderTenant, OrderTenants } from './order-tenants.service.ts';
import { SaveOrderLanes } from './save-order-lanes.service.ts';

/** Lanes folded in one step. */
const BATCH_SIZE = 100;

/**
 * Mechanism 2 for orders: one step of several lanes of one tenant.
 *
 *   load ──▶ plan each (pure) ──▶ save those that have events or an outcome, or nothing to do ──▶ done
 *                             └─▶ call the platform for the others, each on its own, outside any transaction ──▶ done
 *
 * A step saves or calls, never both: results and events are committed before the next call. Where loading, planning or
 * saving fails, the step ends the orders' withdrawals before it fails.
 */
@Injectable()
export class OrderLanes implements OnModuleInit {
  constructor(
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'add'>,
    private readonly load: LoadOrderLanes,
    private readonly save: SaveOrderLanes,
    private readonly calls: CallPlatform,
    private readonly withdrawals: EndWithdrawals,
    @Inject(ConsumedRecords) private readonly consumed: Pick<ConsumedRecords, 'upTo' | 'ask'>,
    private readonly tenants: OrderTenants,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.workers.add({
      kind: ORDER_LANE,
      batchSize: BATCH_SIZE,
      step: (claimed, signal) => this.#step(claimed, signal),
    });
  }

  async #step(lanes: readonly ClaimedLane[], signal: AbortSignal): Promise<void> {
    let calling: readonly PlannedLane[];
    try {
      calling = await this.#save(lanes);
    } catch (error) {
      await this.withdrawals.end(lanes);
      throw error;
    }
    await this.calls.make(calling, signal);
  }

  /** Saves the lanes whose plans make no call, and returns the others. */
  async #save(lanes: readonly ClaimedLane[]): Promise<readonly PlannedLane[]> {
    const [first] = lanes;
    if (first === undefined) return [];
    const tenant = this.tenants.of(first.tenant);
    // Asked before the load: what is stored in between would not be in it.
    const storedUpTo = this.consumed.upTo() ?? -Infinity;
    const loaded = await this.load.load(lanes);
    const planned = loaded.map((each) => this.#plan(each, tenant, storedUpTo));
    await this.save.save(planned.filter(({ plan }) => plan.calls.length === 0));
    return planned.filter(({ plan }) => plan.calls.length > 0);
  }

  #plan(loaded: LoadedLane, tenant: OrderTenant, storedUpTo: number): PlannedLane {
    const nowMs = this.clock.now();
    const isLagging = loaded.heads.some(({ deadlineInMs }) => this.#isLagging(deadlineInMs, nowMs, storedUpTo));
    return { loaded, plan: planLane(loaded, { nowMs, isLagging }, tenant) };
  }

  #isLagging(deadlineInMs: number | null, nowMs: number, storedUpTo: number): boolean {
    if (deadlineInMs === null || deadlineInMs > 0 || storedUpTo >= nowMs + deadlineInMs) return false;
    this.consumed.ask(nowMs + deadlineInMs);
    return true;
  }
}
