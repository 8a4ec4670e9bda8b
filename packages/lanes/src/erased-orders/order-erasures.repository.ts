import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { ErasedOrder } from './order-content.ts';
import { OrderErasureEntity } from './order-erasure.entity.ts';

/** SQL text: the erased orders among rows that have columns `tenant` and `order_number`. */
export const erasedAmong = (rows: string): string =>
  `SELECT DISTINCT tenant, order_number FROM order_erasures JOIN ${rows} USING (tenant, order_number)`;

@Injectable()
export class OrderErasuresRepository {
  constructor(private readonly database: Database) {}

  /** Records an erasure in the transaction that performs it; returns its id. */
  async add(tx: Tx, order: ErasedOrder, at: Date, erased: Readonly<Record<string, number>>): Promise<string> {
    const { tenant, orderNumber } = order;
    const { identifiers } = await this.#rows(tx).insert({ tenant, orderNumber, at, erased });
    return (identifiers[0] as { id: string }).id;
  }

  /** True if one of these orders is erased; without a tenant, if it is erased for any tenant. */
  async isAnyErased(tx: Tx, tenant: string | undefined, orderNumbers: readonly string[]): Promise<boolean> {
    if (orderNumbers.length === 0) return false;
    return this.#rows(tx).existsBy({ orderNumber: In(orderNumbers), ...(tenant !== undefined && { tenant }) });
  }

  /** Those of these orders, each `<tenant>/<number>`, that are erased. */
  async erasedOf(orders: readonly string[]): Promise<ReadonlySet<string>> {
    const orderNumber = In(orders.map((order) => order.slice(order.indexOf('/') + 1)));
    const found = orders.length === 0 ? [] : await this.#rows().findBy({ orderNumber });
    return new Set(found.map((row) => `${row.tenant}/${row.orderNumber}`));
  }

  /** Erasures with an id below `before`, newest first. */
  async list(tenant: string | undefined, before: string, limit: number): Promise<OrderErasureEntity[]> {
    const where = { id: LessThan(before), ...(tenant !== undefined && { tenant }) };
    return this.#rows().find({ where, order: { id: 'DESC' }, take: limit });
  }

  #rows(tx?: Tx) {
    return this.database.repository(OrderErasureEntity, tx);
  }
}
