import { Database, type Tx } from '@gondola/service-kit/database/database';
import { Injectable } from '@nestjs/common';

/** Orders that one step wakes. */
const PAGE = 500;

/** Keys whose orders one step looks for. */
const KEYS_AT_ONCE = 100;

/** $1 keys of SKUs: those for which an order waits, each found by the index. */
const AWAITED_KEYS = `
  SELECT key FROM unnest($1::text[]) AS key
  WHERE EXISTS (SELECT 1 FROM orders WHERE awaited_skus IS NOT NULL AND awaited_skus @> ARRAY[key])`;

/** $1 tenant, $2 keys. A key that arrives again begins again. */
const INSERT = `
  INSERT INTO arrived_skus (tenant, key) SELECT $1, key FROM unnest($2::text[]) AS key ORDER BY key
  ON CONFLICT (tenant, key) DO UPDATE SET after_lane = 0`;

/** $1 tenant. */
const NEXT = `
  SELECT key, after_lane AS "afterLane" FROM arrived_skus WHERE tenant = $1
  ORDER BY after_lane DESC, key LIMIT ${KEYS_AT_ONCE}`;

/** $1 tenant, $2 keys, $3 lane. */
const WAITING = `
  SELECT lane_id AS "laneId", order_number AS "orderNumber" FROM orders
  WHERE awaited_skus IS NOT NULL AND awaited_skus && $2::text[] AND tenant = $1 AND lane_id > $3::bigint
  ORDER BY lane_id LIMIT ${PAGE}`;

const DELETE = 'DELETE FROM arrived_skus WHERE tenant = $1 AND key = ANY ($2::text[])';

/** $1 tenant, $2 keys, $3 the last lane of the page. */
const GO_ON = 'UPDATE arrived_skus SET after_lane = $3 WHERE tenant = $1 AND key = ANY ($2::text[])';

/** The table `arrived_skus`: newly known SKUs, until the orders that wait for them are woken. */
@Injectable()
export class ArrivedSkusRepository {
  constructor(private readonly database: Database) {}

  /** Those of the keys for which any tenant's order waits: few, also while a whole catalog arrives. */
  async awaited(keys: readonly string[]): Promise<string[]> {
    if (keys.length === 0) return [];
    const { rows } = await this.database.query<{ key: string }>(AWAITED_KEYS, [keys]);
    return rows.map(({ key }) => key);
  }

  async insert(tx: Tx, tenant: string, keys: readonly string[]): Promise<void> {
    await tx.query(INSERT, [tenant, keys]);
  }

  /**
   * The numbers of the next waiting orders; null once no key is left. With the tenant's lane locked, no key arrives
   * until `tx` ends.
   */
  async take(tx: Tx, tenant: string): Promise<string[] | null> {
    const { rows: next } = await tx.query<{ key: string; afterLane: string }>(NEXT, [tenant]);
    const [first] = next;
    if (first === undefined) return null;
    const keys = next.filter(({ afterLane }) => afterLane === first.afterLane).map(({ key }) => key);
    const { rows } = await tx.query<{ laneId: string; orderNumber: string }>(WAITING, [tenant, keys, first.afterLane]);
    if (rows.length < PAGE) await tx.query(DELETE, [tenant, keys]);
    else await tx.query(GO_ON, [tenant, keys, rows.at(-1)!.laneId]);
    return rows.map(({ orderNumber }) => orderNumber);
  }
}
