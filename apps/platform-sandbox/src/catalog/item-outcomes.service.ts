import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { CoreRefusal } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import type { LooseEntity } from '../prices-and-stock/loose-record.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import type { Json } from '../values/exact-json.ts';
import { Notifier } from '../webhooks/notifier.service.ts';

type ItemEntity = 'Brand' | 'Category' | LooseEntity;

/** Paths below `/v1/gateway/` of the core's own routes, where they are not the entity's name. */
const CORE_ROUTES: Readonly<Record<string, string>> = { Brand: 'brands', Category: 'categories' };

/** How one item of a batch that is no product ends: it entered, or the core rejected it. */
@Injectable()
export class ItemOutcomes {
  constructor(
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
  ) {}

  /** Silent unless the switch `successEvents` says otherwise, because no name of such an event is shown. */
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
