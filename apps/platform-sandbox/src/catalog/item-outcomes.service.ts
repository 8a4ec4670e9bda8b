import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import type { LooseEntity } from '../prices-and-stock/loose-record.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Json } from '../values/exact-json.ts';
import { Notifier } from '../webhooks/notifier.service.ts';

type ItemEntity = 'Brand' | 'Category' | LooseEntity;

/** Paths of the core's own routes below `/v1/gateway/`, if they differ from the entity's name. */
const CORE_ROUTES: Readonly<Record<string, string>> = { Brand: 'brands', Category: 'categories' };

/** Notifies the outcome of a batch item other than a product: stored, or rejected by the core. */
@Injectable()
export class ItemOutcomes {
  constructor(
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
  ) {}

  /**
   * Notifies nothing unless the switch `successEvents` is set, because the document shows no name for such an
   * event.
   */
  async entered(tx: Tx, operation: Operation, entity: ItemEntity, data: Json, existed: boolean): Promise<void> {
    if (this.switches.behaviour.successEvents === 'none') return;
    const { operationId, contractAccountId } = operation;
    const eventType = existed ? (`${entity}_Updated` as const) : (`${entity}_Created` as const);
    await this.notifier.notify(tx, { operationId, contractAccountId, relatedEntity: entity, eventType, data });
  }

  async rejected(tx: Tx, operation: Operation, entity: ItemEntity, data: Json, refusal: CoreRefusal): Promise<void> {
    const route = CORE_ROUTES[entity] ?? entity;
    const about = { relatedEntity: entity, eventType: `${entity}_CreationFailed`, data, route } as const;
    await this.notifier.refuse(tx, operation, about, refusal);
  }
}
