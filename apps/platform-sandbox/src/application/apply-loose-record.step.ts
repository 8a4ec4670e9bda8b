import { createHash } from 'node:crypto';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { itemEntered, itemRejected } from '../domain/catalog/catalog-notifications.ts';
import { NO_RECORD, identityOf, type LooseEntity } from '../domain/catalog/loose-record.ts';
import { refusedOnDemand } from '../domain/core-error.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../domain/exact-json.ts';
import { rowOf } from '../outbound/column-values.ts';
import { LooseRecordEntity } from '../outbound/loose-record.entity.ts';
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
    private readonly database: Database,
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
    const records = this.database.repository(LooseRecordEntity, tx);
    const key = { contractAccountId, entity, identity: sha256(identityOf(entity, data, sha256)) };
    const existed = await records.existsBy(key);
    await records.upsert(rowOf<LooseRecordEntity>({ ...key, data }), ['contractAccountId', 'entity', 'identity']);
    if (this.switches.behaviour.successEvents === 'told') await this.notifier.notify(tx, itemEntered(about, existed));
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
