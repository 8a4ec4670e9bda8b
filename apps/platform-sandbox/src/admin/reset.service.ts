import type { Catalog } from '../catalog/catalog.service.ts';
import type { Core } from '../core/core.service.ts';
import type { FaultBoard } from '../faults/fault-board.service.ts';
import type { Files } from '../files/files.service.ts';
import type { RequestLog } from '../http/request-log.service.ts';
import type { Orders } from '../orders/orders.service.ts';
import type { PricesAndStock } from '../prices-and-stock/prices-and-stock.service.ts';
import type { Products } from '../products/products.service.ts';
import type { Clock } from '../runtime/clock.service.ts';
import type { Signals } from '../runtime/signals.ts';
import type { Store } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Tenants } from '../tenants/tenants.service.ts';
import type { Deliveries } from '../webhooks/deliveries.service.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';
import type { WebhookSender } from '../webhooks/webhook-sender.service.ts';
import type { Webhooks } from '../webhooks/webhooks.service.ts';

export const RESET_PARTS = ['catalog', 'orders', 'files', 'webhooks', 'logs', 'faults', 'switches', 'clock'] as const;
export type ResetPart = (typeof RESET_PARTS)[number];

/** Parts that late calls change. */
const LANDED_ON: ReadonlySet<ResetPart> = new Set(['catalog', 'orders', 'files']);

export interface ResetServices {
  readonly store: Store;
  readonly clock: Clock;
  readonly signals: Signals;
  readonly core: Core;
  readonly sender: WebhookSender;
  readonly deliveries: Deliveries;
  readonly notifier: Notifier;
  readonly webhooks: Webhooks;
  readonly tenants: Tenants;
  readonly catalog: Catalog;
  readonly products: Products;
  readonly records: PricesAndStock;
  readonly orders: Orders;
  readonly files: Files;
  readonly faults: FaultBoard;
  readonly switches: SwitchBoard;
  readonly requests: RequestLog;
}

/**
 * Empties the sandbox, or parts of it, in one unit of work: a kill leaves all of it or nothing. Queued work goes with
 * the logs.
 */
export class Reset {
  constructor(private readonly services: ResetServices) {}

  /** Without parts everything, merchants and a pause of the sender included. */
  async carryOut(parts: readonly ResetPart[] | undefined): Promise<void> {
    const { store, core, sender, signals, tenants } = this.services;
    await sender.whileHeld(() =>
      store.unit(() => {
        for (const part of parts ?? RESET_PARTS) this.empty(part);
        // Late calls must not change what is new.
        if (parts?.some((part) => LANDED_ON.has(part))) core.forgetLate();
        if (parts !== undefined) return;
        tenants.table.clear();
        sender.forgetPause();
      }),
    );
    signals.rest.give();
  }

  private empty(part: ResetPart): void {
    const { catalog, products, records, orders, files, webhooks, faults, switches, clock } = this.services;
    switch (part) {
      case 'catalog':
        for (const { table } of [catalog.brands, catalog.categories, records]) table.clear();
        return products.clear();
      case 'orders':
        return orders.clear();
      case 'files':
        return files.remove([...files.table.values()]);
      case 'webhooks':
        return webhooks.table.clear();
      case 'logs':
        return this.emptyLogs();
      case 'faults':
        return faults.clear();
      case 'switches':
        return switches.reset();
      default:
        return clock.reset();
    }
  }

  private emptyLogs(): void {
    const { core, deliveries, notifier, requests } = this.services;
    core.operations.clear();
    core.calls.clear();
    deliveries.clear();
    notifier.rejections.clear();
    requests.clear();
  }
}
