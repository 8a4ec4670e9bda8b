import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import { Clock } from '@gondola/service-kit/run/clock';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { orderEntities, orderMigrations } from '../database.schema.ts';
import { orderLane } from './order-lane.ts';
import { OrderFactsRepository } from './order-facts.repository.ts';
import { readNotification } from '../notifications/read-notification.ts';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('facts of an order whose notification this process stored', () => {
  let database: Database;
  let facts: OrderFactsRepository;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const schema = await createTestSchema('order-facts');
    const options = { url: testStack().databaseUrl, entities: orderEntities, migrations: orderMigrations };
    database = new Database({ ...options, schema: schema.schema });
    drop = () => schema.drop();
    await database.connect();
    facts = new OrderFactsRepository(database, new Clock());
  });
  afterAll(async () => {
    await database.close();
    await drop();
  });

  /** Stores a notification, writes the word `table` into its row, which shows where a content comes from. */
  async function stored(number: number, operationId = 'op'): Promise<string> {
    const data = { number, status: 300, updatedAt: '2026-11-20T10:15:00', operationId };
    const envelope = { operationId, relatedEntity: 'Order', eventType: 'Order_Updated', data };
    const headers = { tenant: 'acme', id: `${number} ${operationId}`, traceparent: TRACEPARENT };
    const reading = readNotification(Buffer.from(JSON.stringify(envelope)), headers);
    if (reading.kind !== 'fact') throw new Error('no fact');
    const lane = orderLane('acme', String(number));
    const laneId = await database.transaction(async (tx) => {
      const [id] = (await new Lanes(database).wake(tx, [lane])).values();
      await facts.insert(tx, [{ ...reading.fact, laneId: id! }]);
      return id!;
    });
    await database.query(`UPDATE order_facts SET data = '"table"' WHERE lane_id = $1`, [laneId]);
    return laneId;
  }

  async function contentsOf(laneId: string): Promise<unknown[]> {
    const { contents } = (await facts.ofLanes([laneId])).get(laneId)!;
    return [...contents.values()].map(({ bytes }) => JSON.parse(Buffer.from(bytes).toString()) as unknown);
  }

  it('came, for a tenant in shadow, with the newest that the order’s row does not have', async () => {
    const laneId = await stored(4, 'first');
    await stored(4, 'second');
    const hours =
      "received_at = '2026-11-20T08:00:00Z'::timestamptz + interval '1 hour' * (SELECT count(*) FROM order_facts AS o";
    await database.query(
      `UPDATE order_facts AS f SET ${hours} WHERE o.lane_id = f.lane_id AND o.id < f.id) WHERE lane_id = $1`,
      [laneId],
    );
    const newest = () => database.transaction((tx) => facts.newestReceipts(tx, [laneId]));
    expect(await newest()).toEqual(new Map([[laneId, Date.parse('2026-11-20T09:00:00Z')]]));
    await database.query(
      `INSERT INTO orders (lane_id, tenant, order_number, revision, folded_up_to)
       SELECT lane_id, tenant, order_number, 1, max(id) FROM order_facts WHERE lane_id = $1 GROUP BY 1, 2, 3`,
      [laneId],
    );
    expect(await newest()).toEqual(new Map());
  });

  it('have its content from memory once, then from the table', async () => {
    const laneId = await stored(1);
    expect(await contentsOf(laneId)).toEqual([expect.objectContaining({ number: 1, operationId: 'op' })]);
    expect(await contentsOf(laneId)).toEqual(['table']);
  });

  it('have what is left of it after an erasure', async () => {
    const laneId = await stored(2);
    await database.query('UPDATE order_facts SET is_redacted = true WHERE lane_id = $1', [laneId]);
    expect(await contentsOf(laneId)).toEqual(['table']);
  });

  it('have the content of the fact that it belongs to, and that of the newest', async () => {
    const laneId = await stored(3);
    const newer = { hash: 'another', updated_ticks: '9'.repeat(18), dedup_key: 'newer' };
    await database.query(
      `INSERT INTO order_facts (lane_id, tenant, order_number, dedup_key, source, event_type, failure, status, updated_ticks,
         has_items, hash, data, traceparent)
       SELECT lane_id, tenant, order_number, $2, source, event_type, failure, status, $3, has_items, $4, '"newer"', traceparent
       FROM order_facts WHERE lane_id = $1`,
      [laneId, newer.dedup_key, newer.updated_ticks, newer.hash],
    );
    expect(await contentsOf(laneId)).toEqual([expect.objectContaining({ number: 3 }), 'newer']);
    expect(await contentsOf(laneId)).toEqual(['newer']);
  });
});
