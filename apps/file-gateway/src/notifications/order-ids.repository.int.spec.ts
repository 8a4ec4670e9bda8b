import { createTestSchema, testStack } from '@gondola/local-stack/test-stack';
import { Database } from '@gondola/service-kit/database/database';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { fileEntities, fileMigrations } from '../database.schema.ts';
import { OrderIdsRepository } from './order-ids.repository.ts';

describe('the GUIDs of orders', () => {
  let database: Database;
  let orderIds: OrderIdsRepository;
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const schema = await createTestSchema('order-ids');
    drop = () => schema.drop();
    const url = testStack().databaseUrl;
    database = new Database({ url, schema: schema.schema, entities: fileEntities, migrations: fileMigrations });
    await database.connect();
    orderIds = new OrderIdsRepository(database);
  });

  afterAll(async () => {
    await database.close();
    await drop();
  });

  it('are deleted a year after the last notification of their order', async () => {
    const orders = ['1', '2', '3'].map((orderNumber) => ({
      tenant: 'acme',
      orderNumber,
      orderId: `guid-${orderNumber}`,
    }));
    await database.transaction((tx) => orderIds.save(tx, orders));
    await database.query(`UPDATE order_ids SET seen_at = now() - interval '366 days' WHERE order_number <> '3'`);
    await database.transaction((tx) => orderIds.save(tx, orders.slice(1)));
    await orderIds.deleteOld();
    const found = await Promise.all([1, 2, 3].map((number) => orderIds.find('acme', number)));
    expect(found).toEqual([null, 'guid-2', 'guid-3']);
  });
});
