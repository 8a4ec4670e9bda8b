import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { Lanes } from '@gondola/messaging/lanes/lanes';
import { Database } from '@gondola/service-kit/database/database';
import type { SkuSnapshot } from '@gondola/shared/catalog/sku-snapshot';
import { Injectable } from '@nestjs/common';
import { orderLane } from '../orders/order-lane.ts';
import { OrdersRepository } from '../orders/orders.repository.ts';
import { keysOfSkus } from './awaited-skus.ts';

/**
 * Wakes the lanes of orders that were published without a newly known SKU. Called after the commit of the SKUs: an
 * order that is published meanwhile checks once more after it has stored its wait, so that none is missed.
 */
@Injectable()
export class WakeAwaitingOrders {
  constructor(
    private readonly database: Database,
    private readonly orders: OrdersRepository,
    private readonly lanes: Lanes,
    private readonly workers: LaneWorkers,
  ) {}

  async wake(skus: readonly SkuSnapshot[]): Promise<void> {
    const byTenant = Map.groupBy(skus, ({ tenant }) => tenant);
    const found = await Promise.all(
      [...byTenant].map(async ([tenant, its]) => {
        const numbers = await this.orders.awaiting(tenant, keysOfSkus(its));
        return numbers.map((orderNumber) => orderLane(tenant, orderNumber));
      }),
    );
    const keys = found.flat();
    if (keys.length === 0) return;
    await this.database.transaction((tx) => this.lanes.wake(tx, keys));
    this.workers.wake();
  }
}
