import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestSchema, type TestSchema } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import type { MigrationClass } from '@gondola/service-kit/database/migrations';
import { Database } from '@gondola/service-kit/database/database';
import { CreateNotifications1760000002001 } from './create-notifications-1760000002001.migration.ts';
import { FindByTenant1760000002160 } from './find-by-tenant-1760000002160.migration.ts';
import { OperateNotifications1760000002101 } from './operate-notifications-1760000002101.migration.ts';

const BEFORE = [CreateNotifications1760000002001];
const ALL = [...BEFORE, OperateNotifications1760000002101];
const ROWS = 20_000;

let schema: TestSchema;

beforeAll(async () => {
  schema = await createTestSchema('operate');
  await withDatabase(BEFORE, (database) => database.query(INSERT));
  await withDatabase(ALL, async () => {});
});

afterAll(async () => {
  await schema.drop();
});

async function withDatabase<T>(
  migrations: readonly MigrationClass[],
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = new Database({
    url: schema.url,
    schema: schema.schema,
    migrations,
    queryTimeoutMs: ANSWER_LIMIT_MS,
  });
  try {
    await database.connect();
    return await work(database);
  } finally {
    await database.close();
  }
}

const INSERT = `
  INSERT INTO notifications
    (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent, received_at)
  SELECT 'k' || n, 'acme', 'o' || n, 'E' || n % 20, 'R' || n % 8, 't', 'acme/order/' || n / 4, '\\x01', '', now()
  FROM generate_series(1, ${ROWS}) AS n`;

describe('the migration to operations', () => {
  it('keeps what there is, and has a way back and forth, with what was erased empty', async () => {
    await withDatabase(ALL, (database) =>
      database.query(`UPDATE notifications SET sent_at = now(), body = NULL, erased_at = now() WHERE dedup_key = 'k1'`),
    );
    await withDatabase(ALL, (database) => database.revertLastMigration());
    await withDatabase(BEFORE, async (database) => {
      const { rows } = await database.query(
        'SELECT count(*)::int AS rows, count(*) FILTER (WHERE length(body) = 0)::int AS empty FROM notifications',
      );
      expect(rows).toEqual([{ rows: ROWS, empty: 1 }]);
    });
    await withDatabase(ALL, async (database) => {
      expect((await database.query('SELECT 1 FROM erasures')).rows).toEqual([]);
    });
  });

  it('does not let a body go that was not sent, or that is open in quarantine', async () => {
    await withDatabase(ALL, async (database) => {
      const erase = 'SET body = NULL, erased_at = now()';
      await expect(database.query(`UPDATE notifications ${erase} WHERE dedup_key = 'k2'`)).rejects.toMatchObject({
        constraint: 'notifications_body_until_sent',
      });
      await database.query(
        `INSERT INTO quarantine (dedup_key, tenant, reason, detail, body, traceparent, received_at)
         VALUES ('q', 'acme', 'NOT_JSON', '', '', '', now())`,
      );
      await expect(database.query(`UPDATE quarantine ${erase}`)).rejects.toMatchObject({
        constraint: 'quarantine_body_until_settled',
      });
    });
  });

  it.each([
    [`partition_key = ANY ('{acme/order/1,bairro/order/1}')`, 'notifications_entity'],
    [`operation_id = 'o1'`, 'notifications_operation'],
    [`event_type = 'never'`, 'notifications_event'],
    [`related_entity = 'never'`, 'notifications_related'],
    ['parked_at IS NOT NULL', 'notifications_parked'],
    [`tenant = 'never'`, 'notifications_tenant'],
    ['topic IS NULL', 'notifications_untold'],
  ])('finds by an index: %s', async (condition, index) => {
    await withDatabase([...ALL, FindByTenant1760000002160], async (database) => {
      await database.query('ANALYZE notifications');
      // After rows were changed in place, PostgreSQL does not use a new index of the table until every older
      // transaction on the server has ended.
      const plan = async (): Promise<string> => {
        const { rows } = await database.query(
          `EXPLAIN SELECT * FROM notifications WHERE id < ${ROWS} AND ${condition} ORDER BY id DESC LIMIT 50`,
        );
        return JSON.stringify(rows);
      };
      const used = async () => (await plan()).includes(index) && index;
      expect(await waitFor(used, { describe: `a plan with ${index}` })).toBe(index);
    });
  });
});
