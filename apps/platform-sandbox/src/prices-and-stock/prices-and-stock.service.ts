import type { ItemOutcomes } from '../catalog/item-outcomes.service.ts';
import type { Core } from '../core/core.service.ts';
import type { Operation } from '../core/operation.ts';
import type { Store, Table } from '../store/store.service.ts';
import type { SwitchBoard } from '../switches/switch-board.service.ts';
import { isJsonObject, parseExact, type Json, type JsonObject } from '../values/exact-json.ts';
import { refusedOnDemand } from '../values/refusal.ts';
import { identityOf, recordRefusal, skuNamesIn, type LooseEntity } from './loose-record.ts';

export type LoosePayload = { readonly entity: LooseEntity; readonly item: Json };

/** The newest price, warehouse or stock of each identity; `text` is the record as exact JSON. */
export interface LooseRow {
  /** Rises with each record that the core took. */
  readonly seq: number;
  readonly contractAccountId: string;
  readonly entity: LooseEntity;
  readonly text: string;
}

export interface RecordServices {
  readonly store: Store;
  readonly core: Core;
  readonly outcomes: ItemOutcomes;
  readonly switches: SwitchBoard;
}

/** Stores or rejects each price, warehouse or stock record of a batch. */
export class PricesAndStock {
  readonly table: Table<string, LooseRow>;
  /** Keys of the records of a SKU, by merchant, entity and what names the SKU. */
  private readonly bySku = new Map<string, Set<string>>();

  constructor(private readonly services: RecordServices) {
    this.table = services.store.table('records');
    this.table.watch((key, after, before) => {
      if (before) for (const name of skuNames(before)) this.bySku.get(name)?.delete(key);
      if (after) for (const name of skuNames(after)) this.bySku.set(name, (this.bySku.get(name) ?? new Set()).add(key));
    });
    services.core.take('loose-record', (operation) => this.storeRecord(operation));
  }

  /** One record of each identity, that of the newest last. */
  all(contractAccountId: string, entity: LooseEntity): JsonObject[] {
    return [...this.table.values()]
      .filter((row) => row.contractAccountId === contractAccountId && row.entity === entity)
      .toSorted((a, b) => a.seq - b.seq)
      .map(({ text }) => parseExact(text) as JsonObject);
  }

  /** Prices or stock of a SKU, whether they name it by the core's id or by its reference; the newest last. */
  ofSku(contractAccountId: string, entity: LooseEntity, names: readonly string[]): JsonObject[] {
    const keys = new Set(
      names.flatMap((name) => [...(this.bySku.get(nameKey(contractAccountId, entity, name)) ?? [])]),
    );
    const rows = [...keys].flatMap((key) => this.table.get(key) ?? []);
    return rows.toSorted((a, b) => a.seq - b.seq).map(({ text }) => parseExact(text) as JsonObject);
  }

  /** Stores a record within a unit of work; true if its identity existed. */
  save(contractAccountId: string, entity: LooseEntity, record: JsonObject): boolean {
    const key = `${contractAccountId} ${entity} ${identityOf(entity, record)}`;
    const existed = this.table.has(key);
    const seq = this.services.store.next('records');
    this.table.put(key, { seq, contractAccountId, entity, text: JSON.stringify(record) });
    return existed;
  }

  private storeRecord(operation: Operation): void {
    const { contractAccountId, payload, directive } = operation;
    const { outcomes, switches } = this.services;
    const { entity, item } = parseExact(payload) as JsonObject & LoosePayload;
    const refusal = refusedOnDemand(directive) ?? recordRefusal(item, switches.behaviour.requiredOfRecord[entity]);
    if (refusal) return outcomes.rejected(operation, entity, item, refusal);
    const existed = this.save(contractAccountId, entity, item as JsonObject);
    return outcomes.entered(operation, entity, item, existed);
  }
}

function skuNames({ contractAccountId, entity, text }: LooseRow): string[] {
  if (entity === 'Warehouse') return [];
  const record = parseExact(text);
  if (!isJsonObject(record)) return [];
  return skuNamesIn(record).map((name) => nameKey(contractAccountId, entity, name));
}

function nameKey(contractAccountId: string, entity: LooseEntity, name: string): string {
  return `${contractAccountId} ${entity} ${name}`;
}
