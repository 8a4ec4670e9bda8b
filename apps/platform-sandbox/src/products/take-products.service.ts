import type { Tx } from '@gondola/service-kit/database/database';
import { Clock } from '@gondola/service-kit/run/clock';
import { Injectable } from '@nestjs/common';
import { refusedOnDemand } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { Ids } from '../runtime/ids.service.ts';
import { parseExact } from '../values/exact-json.ts';
import { utcMs, ticksOf } from '../values/local-time.ts';
import type { Notification } from '../webhooks/notification.ts';
import { Notifier } from '../webhooks/notifier.service.ts';
import { decideProduct, type KnownToCore } from './decide-product.ts';
import { productEvent, productReport } from './product-report.ts';
import { ProductsRepository } from './products.repository.ts';

/** Products of a batch with their SKUs: decided one after the other, stored and notified in one transaction. */
@Injectable()
export class TakeProducts {
  constructor(
    private readonly products: ProductsRepository,
    private readonly notifier: Notifier,
    private readonly clock: Clock,
    private readonly ids: Ids,
  ) {}

  @Takes({ kind: 'product', by: 'all' })
  async apply(tx: Tx, operations: readonly Operation[]): Promise<void> {
    const account = operations[0]?.contractAccountId ?? '';
    const items = operations.map(({ payload }) => parseExact(payload));
    const shelf = await this.products.shelf(account, items, tx);
    const notifications: Notification[] = [];
    for (const [index, { operationId, directive }] of operations.entries()) {
      const item = items[index] ?? null;
      const now = ticksOf(this.clock.now());
      const refusal = refusedOnDemand(directive);
      const known: KnownToCore = { ...shelf.known(item), ...(refusal && { refusal }) };
      const { result, product } = decideProduct(item, known, {
        now,
        newGuid: () => this.ids.newGuid(),
        newTraceId: () => this.ids.newTraceId(),
      });
      if (product) shelf.put(product);
      notifications.push({
        operationId,
        contractAccountId: account,
        relatedEntity: 'ProductWithSKUs',
        eventType: productEvent(result),
        data: productReport(result, utcMs(now)),
      });
    }
    await this.products.save(account, shelf.changed(), tx);
    await this.notifier.notifyAll(tx, account, notifications);
  }
}
