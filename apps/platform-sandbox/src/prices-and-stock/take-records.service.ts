import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { ItemOutcomes } from '../catalog/item-outcomes.service.ts';
import { refusedOnDemand } from '../core/core-error.ts';
import type { Operation } from '../core/operations.repository.ts';
import { Takes } from '../core/takes.decorator.ts';
import { SwitchBoard } from '../switches/switch-board.service.ts';
import { rowOf } from '../values/column-values.adapter.ts';
import { parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { LooseRecordEntity } from './loose-record.entity.ts';
import { identityOf, recordRefusal, type LooseEntity } from './loose-record.ts';

export type LoosePayload = { readonly entity: LooseEntity; readonly item: Json };

/** Stores or rejects each price, warehouse or stock record of a batch. */
@Injectable()
export class TakeRecords {
  constructor(
    private readonly database: Database,
    private readonly outcomes: ItemOutcomes,
    private readonly switches: SwitchBoard,
  ) {}

  /** Stores a price, a warehouse or stock unchanged. */
  @Takes({ kind: 'loose-record', by: 'in turn' })
  async storeRecord(tx: Tx, operation: Operation): Promise<void> {
    const { contractAccountId, payload, directive } = operation;
    const { entity, item: data } = parseExact(payload) as JsonObject & LoosePayload;
    const refusal = refusedOnDemand(directive) ?? recordRefusal(data, this.switches.behaviour.requiredOfRecord[entity]);
    if (refusal) return this.outcomes.rejected(tx, operation, entity, data, refusal);
    const records = this.database.repository(LooseRecordEntity, tx);
    const key = { contractAccountId, entity, identity: identityOf(entity, data as JsonObject) };
    const existed = await records.existsBy(key);
    await records.upsert(rowOf<LooseRecordEntity>({ ...key, data: data as JsonObject }), [
      'contractAccountId',
      'entity',
      'identity',
    ]);
    return this.outcomes.entered(tx, operation, entity, data, existed);
  }
}
