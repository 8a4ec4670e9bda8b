import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { ASLEEP, type ClaimedLane, Lanes } from '@gondola/lanes/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { orderLane } from '../facts/order-lane.ts';
import { ArrivedSkusRepository } from './arrived-skus.repository.ts';
import { keysOfSkus } from './match-skus.ts';

/** The kind of the lane whose steps wake a tenant's waiting orders. */
const AWAITING_LANE = 'awaiting-skus';

/**
 * Wakes the lanes of orders that were published without a newly known SKU, in pages.
 *
 *   SKUs ── stored, committed ──▶ keys for which an order waits ──▶ arrived_skus ── step ──▶ 500 orders are due ─┐
 *                                                                       ▲                                      │
 *                                                                       └────────── until no order is left ────┘
 *
 * The consumer only stores the keys, whatever number of orders waits, since it holds the offset. It does so after the
 * commit of the SKUs: an order that is published meanwhile checks once more after it has stored its wait, so that none
 * is missed.
 */
@Injectable()
export class WakeAwaitingOrders implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly arrived: ArrivedSkusRepository,
    private readonly lanes: Lanes,
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'add' | 'wake'>,
  ) {}

  onModuleInit(): void {
    this.workers.add({
      kind: AWAITING_LANE,
      batchSize: 1,
      step: async ([lane]) => (lane === undefined ? undefined : this.#wakePage(lane)),
    });
  }

  /** Stores the keys of these SKUs for which orders wait. */
  async wake(skus: readonly SkuSnapshot[]): Promise<void> {
    for (const [tenant, its] of Map.groupBy(skus, (sku) => sku.tenant)) {
      const keys = await this.arrived.awaited(keysOfSkus(its));
      if (keys.length === 0) continue;
      await this.database.transaction(async (tx) => {
        await this.lanes.wake(tx, [{ tenant, kind: AWAITING_LANE, identity: 'orders' }]);
        await this.arrived.insert(tx, tenant, keys);
      });
      this.workers.wake();
    }
  }

  async #wakePage(lane: ClaimedLane): Promise<void> {
    const { tenant } = lane;
    await this.lanes.finish([lane], ASLEEP, async (tx) => {
      const numbers = await this.arrived.take(tx, tenant);
      if (numbers !== null) await this.lanes.wake(tx, [lane, ...numbers.map((number) => orderLane(tenant, number))]);
    });
    this.workers.wake();
  }
}
