import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import type { Tenant } from '../tenants/tenants.repository.ts';
import { rowOf } from '../values/column-values.adapter.ts';
import { storable } from '../values/storable-text.ts';
import { OrderEntity } from './order.entity.ts';
import type { Order } from './order.ts';

/** The number, or the GUID in upper or lower case. */
export type OrderKey = { readonly number: number } | { readonly id: string };

@Injectable()
export class OrdersRepository {
  constructor(private readonly database: Database) {}

  /** Uses the transaction's connection: a second connection for each order could exhaust the pool. */
  async nextNumber(tx: Tx): Promise<number> {
    const { rows } = await tx.query<{ number: string }>(`SELECT nextval('order_numbers') AS number`);
    return Number(rows[0]?.number);
  }

  async find(key: OrderKey): Promise<Order | undefined> {
    return (await this.database.repository(OrderEntity).findOneBy(normal(key)))?.document;
  }

  /** The order if it belongs to this merchant, else undefined. */
  async ofMerchant({ contractAccountId }: Tenant, number: number | undefined): Promise<Order | undefined> {
    const order = number === undefined ? undefined : await this.find({ number });
    return order?.contractAccountId === contractAccountId ? order : undefined;
  }

  /** As `find`; locks the order until the transaction ends. */
  async lock(key: OrderKey, tx: Tx): Promise<Order | undefined> {
    const lock = { mode: 'pessimistic_write' } as const;
    return (await this.database.repository(OrderEntity, tx).findOne({ where: normal(key), lock }))?.document;
  }

  async save(order: Order, tx: Tx): Promise<void> {
    const { number, id, contractAccountId } = order;
    const row = rowOf<OrderEntity>({ number, id, contractAccountId, document: order });
    await this.database.repository(OrderEntity, tx).upsert(row, ['number']);
  }
}

function normal(key: OrderKey): OrderKey {
  return 'id' in key ? { id: storable(key.id.toLowerCase()) } : key;
}
