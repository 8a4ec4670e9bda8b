import type { Operation } from '../core/operation.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Json } from '../values/exact-json.ts';
import type { CoreRefusal } from '../values/refusal.ts';
import type { Notifier } from '../webhooks/notifier.service.ts';

type ItemEntity = 'Brand' | 'Category' | 'SKUPricing' | 'Warehouse' | 'WarehouseSKU';

/** Paths of the core's own routes below `/v1/gateway/`, if they differ from the entity's name. */
const CORE_ROUTES: Readonly<Record<string, string>> = { Brand: 'brands', Category: 'categories' };

/** Notifies the outcome of a batch item other than a product: stored, or rejected by the core. */
export class ItemOutcomes {
  constructor(
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
  ) {}

  /**
   * Notifies nothing unless the switch `successEvents` is set, because the document shows no name for such an
   * event.
   */
  entered({ operationId, contractAccountId }: Operation, entity: ItemEntity, data: Json, existed: boolean): void {
    if (this.switches.behaviour.successEvents === 'none') return;
    const eventType = existed ? (`${entity}_Updated` as const) : (`${entity}_Created` as const);
    this.notifier.notify({ operationId, contractAccountId, relatedEntity: entity, eventType, data });
  }

  rejected(operation: Operation, entity: ItemEntity, data: Json, refusal: CoreRefusal): void {
    const route = CORE_ROUTES[entity] ?? entity;
    const about = { relatedEntity: entity, eventType: `${entity}_CreationFailed`, data, route } as const;
    this.notifier.refuse(operation, about, refusal);
  }
}
