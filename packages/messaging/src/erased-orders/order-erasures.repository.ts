import { Injectable } from '@nestjs/common';
import { In, LessThan } from 'typeorm';

import { Database, type Tx } from '@gondola/service-kit/database/database';

import type { ErasedOrder } from './order-content.ts';
import { OrderErasureEntity } from './order-erasure.entity.ts';

@Injectable()
export class OrderErasuresRepository {
  constructor(private readonly database: Database) {}

  /** Records an erasure in the transaction that performs it; returns its id. */
  async add(tx: Tx, order: ErasedOrder, at: Date, erased: Readonly<Record<string, number>>): Promise<string> {
    const { tenant, orderNumber } = order;
    const { identifiers } = await this.#rows(tx).insert({ tenant, orderNumber, at, erased });
    return (identifiers[0] as { id: string }).id;
  }

  /**
   * Erased orders among the given orders of a tenant. If their lanes are locked, the answer holds until `tx` ends.
   */
  async erasedAmong(tx: Tx, tenant: string, orderNumbers: readonly string[]): Promise<ReadonlySet<string>> {
    const where = { tenant, orderNumber: In([...new Set(orderNumbers)]) };
    const rows = await this.#rows(tx).find({ select: { orderNumber: true }, where });
    return new Set(rows.map(({ orderNumber }) => orderNumber));
  }

  /** True if one of these orders is erased; without a tenant, if it is erased for any tenant. */
  async isAnyErased(tx: Tx, tenant: string | undefined, orderNumbers: readonly string[]): Promise<boolean> {
    if (orderNumbers.length === 0) return false;
    return this.#rows(tx).existsBy({ orderNumber: In(orderNumbers), ...(tenant !== undefined && { tenant }) });
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
