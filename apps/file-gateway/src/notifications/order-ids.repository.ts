import { deleteInSteps } from '@gondola/lanes/store/delete-in-steps';
import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';
import { OrderIdEntity } from './order-id.entity.ts';

export interface OrderId {
  readonly tenant: string;
  readonly orderNumber: string;
  readonly orderId: string;
}

/** A year without a notification: no command about a file of the order follows. */
const KEPT = "interval '365 days'";
export const OLDEST_ORDER_ID = `SELECT min(seen_at) + ${KEPT} AS due FROM order_ids`;

/** The table `order_ids`: an order's number and its GUID, which never change. */
@Injectable()
export class OrderIdsRepository {
  constructor(private readonly database: Database) {}

  /** Stores all orders of a batch in one statement. */
  async save(tx: Tx, orders: readonly OrderId[]): Promise<void> {
    await tx.query(
      `INSERT INTO order_ids (tenant, order_number, order_id)
       SELECT DISTINCT ON (k.tenant COLLATE "C", k.order_number COLLATE "C") k.tenant, k.order_number, k.order_id
       FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, order_number, order_id)
       ORDER BY k.tenant COLLATE "C", k.order_number COLLATE "C"
       ON CONFLICT (tenant, order_number) DO UPDATE SET seen_at = clock_timestamp()
         WHERE order_ids.seen_at < clock_timestamp() - interval '1 day'`,
      [
        orders.map(({ tenant }) => tenant),
        orders.map(({ orderNumber }) => orderNumber),
        orders.map(({ orderId }) => orderId),
      ],
    );
  }

  async find(tenant: string, orderNumber: number): Promise<string | null> {
    const order = { tenant, orderNumber: String(orderNumber) };
    return (await this.database.repository(OrderIdEntity).findOneBy(order))?.orderId ?? null;
  }

  /** Deletes orders that no notification has named for a year. */
  async deleteOld(): Promise<void> {
    await deleteInSteps(this.database, 'order_ids', `seen_at < clock_timestamp() - ${KEPT}`, []);
  }
}
