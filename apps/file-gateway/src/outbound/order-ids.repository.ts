import type { Database, Tx } from '@gondola/service-kit/database/database';
import type { OrderId, OrderIdStore } from '../application/file-stores.ts';

/** The table `order_ids`: an order's number and its GUID, which never change. */
export class OrderIdsRepository implements OrderIdStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async save(tx: Tx, orders: readonly OrderId[]): Promise<void> {
    await tx.query(
      `INSERT INTO order_ids (tenant, order_number, order_id)
       SELECT DISTINCT ON (k.tenant COLLATE "C", k.order_number COLLATE "C") k.tenant, k.order_number, k.order_id
       FROM unnest($1::text[], $2::text[], $3::text[]) AS k (tenant, order_number, order_id)
       ORDER BY k.tenant COLLATE "C", k.order_number COLLATE "C"
       ON CONFLICT (tenant, order_number) DO NOTHING`,
      [
        orders.map(({ tenant }) => tenant),
        orders.map(({ orderNumber }) => orderNumber),
        orders.map(({ orderId }) => orderId),
      ],
    );
  }

  async find(tenant: string, orderNumber: number): Promise<string | null> {
    const text = 'SELECT order_id FROM order_ids WHERE tenant = $1 AND order_number = $2';
    const { rows } = await this.#database.query<{ order_id: string }>(text, [tenant, String(orderNumber)]);
    return rows[0]?.order_id ?? null;
  }
}
