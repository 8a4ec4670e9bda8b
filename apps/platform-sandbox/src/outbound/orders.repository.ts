import { Injectable } from '@nestjs/common';
import { NO_TERMS, ORIGINS, type Order, type StatusEntry } from '../domain/orders/order.ts';
import type { Queryable } from './queryable.ts';
import { storable } from './storable.ts';

interface OrderRow {
  document: StoredOrder;
}

/** What orders that were placed by an older version do not have. */
const ADDED_LATER = {
  finalPriceCents: null,
  invoice: null,
  invoiceFile: null,
  origin: ORIGINS.web,
  ...NO_TERMS,
} as const;

/** An order as JSON: times as text, because JSON has no such integers. */
type StoredOrder = Omit<Order, 'createdAt' | 'updatedAt' | 'statusHistory'> & {
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly statusHistory: readonly { readonly status: number; readonly at: string }[];
};

@Injectable()
export class OrdersRepository {
  async nextNumber(db: Queryable): Promise<number> {
    const { rows } = await db.query<{ number: string }>(`SELECT nextval('order_numbers') AS number`);
    return Number(rows[0]?.number);
  }

  async find(db: Queryable, number: number): Promise<Order | undefined> {
    return this.one(db, 'SELECT document FROM orders WHERE number = $1', number);
  }

  /** As `find`; others wait with their changes until this transaction has ended. */
  async lock(db: Queryable, number: number): Promise<Order | undefined> {
    return this.one(db, 'SELECT document FROM orders WHERE number = $1 FOR UPDATE', number);
  }

  async lockById(db: Queryable, id: string): Promise<Order | undefined> {
    return this.one(db, 'SELECT document FROM orders WHERE id = lower($1) FOR UPDATE', storable(id));
  }

  async findById(db: Queryable, id: string): Promise<Order | undefined> {
    return this.one(db, 'SELECT document FROM orders WHERE id = lower($1)', storable(id));
  }

  async save(db: Queryable, order: Order): Promise<void> {
    await db.query(
      `INSERT INTO orders (number, id, contract_account_id, document) VALUES ($1, $2, $3, $4)
       ON CONFLICT (number) DO UPDATE SET document = excluded.document`,
      [order.number, order.id, order.contractAccountId, JSON.stringify(stored(order))],
    );
  }

  private async one(db: Queryable, text: string, value: number | string): Promise<Order | undefined> {
    const { rows } = await db.query<OrderRow>(text, [value]);
    return rows[0] && orderOf(rows[0].document);
  }
}

function stored(order: Order): StoredOrder {
  return {
    ...order,
    createdAt: String(order.createdAt),
    updatedAt: String(order.updatedAt),
    statusHistory: order.statusHistory.map(({ status, at }) => ({ status, at: String(at) })),
  };
}

function orderOf(document: StoredOrder): Order {
  return {
    ...ADDED_LATER,
    ...document,
    createdAt: BigInt(document.createdAt),
    updatedAt: BigInt(document.updatedAt),
    statusHistory: document.statusHistory.map(({ status, at }): StatusEntry => ({ status, at: BigInt(at) })),
  };
}
