import type { Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { itemEntered, itemRejected } from '../domain/catalog/catalog-notifications.ts';
import { NO_RECORD, type LooseEntity } from '../domain/catalog/loose-record.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../domain/exact-json.ts';
import { LooseRecordsRepository } from '../outbound/loose-records.repository.ts';
import type { Operation } from '../outbound/operations.repository.ts';
import type { CoreStep } from './core.step.ts';
import { Ids } from './ids.ts';
import { Notifier } from './notifier.ts';
import { SwitchBoard } from './switch-board.ts';

/** JSON of the payload. */
export type LoosePayload = { readonly entity: LooseEntity; readonly item: Json };

/**
 * One price, warehouse or stock of a batch: kept as it is, in silence unless the switch says otherwise, or rejected.
 */
@Injectable()
export class ApplyLooseRecord implements CoreStep {
  readonly kind = 'loose-record';

  constructor(
    private readonly records: LooseRecordsRepository,
    private readonly notifier: Notifier,
    private readonly switches: SwitchBoard,
    private readonly ids: Ids,
  ) {}

  async applyGroup(tx: Tx, operations: readonly Operation[]): Promise<void> {
    for (const operation of operations) await this.apply(tx, operation);
  }

  async apply(tx: Tx, { operationId, contractAccountId, payload, directive }: Operation): Promise<void> {
    const { entity, item: data } = parseExact(payload) as JsonObject & LoosePayload;
    const about = { operationId, contractAccountId, entity, data };
    const demanded = refusedOnDemand(directive);
    if (demanded || !isJsonObject(data)) {
      const context = { instance: `/v1/gateway/${entity}`, traceId: this.ids.newTraceId() };
      await this.notifier.notify(tx, itemRejected(about, demanded ?? NO_RECORD, context));
      return;
    }
    const existed = await this.records.save(tx, contractAccountId, entity, data);
    if (this.switches.behaviour.successEvents === 'told') await this.notifier.notify(tx, itemEntered(about, existed));
  }
}
