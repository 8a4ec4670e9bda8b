import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';
import { InboxDatabase } from '../test/support/inbox-database.ts';

const ROWS = 20_000;

let inbox: InboxDatabase;

beforeAll(async () => {
  inbox = await InboxDatabase.open('tables');
  await inbox.database.query(INSERT);
});

afterAll(async () => {
  await inbox.close();
});

const INSERT = `
  INSERT INTO notifications
    (dedup_key, tenant, operation_id, event_type, related_entity, topic, partition_key, body, traceparent, received_at)
  SELECT 'k' || n, 'acme', 'o' || n, 'E' || n % 20, 'R' || n % 8, 't', 'acme/order/' || n / 4, '\\x01', '', now()
  FROM generate_series(1, ${ROWS}) AS n`;

describe('the tables of the inbox', () => {
  it('does not let a body go that was not sent, or that is open in quarantine', async () => {
    const { database } = inbox;
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

  it.each([
    [`partition_key = ANY ('{acme/order/1,bairro/order/1}')`, 'notifications_entity'],
    [`operation_id = 'o1'`, 'notifications_operation'],
    [`event_type = 'never'`, 'notifications_event'],
    [`related_entity = 'never'`, 'notifications_related'],
    ['parked_at IS NOT NULL', 'notifications_parked'],
    [`tenant = 'never'`, 'notifications_tenant'],
    ['topic IS NULL', 'notifications_untold'],
  ])('finds by an index: %s', async (condition, index) => {
    const { database } = inbox;
    await database.query('ANALYZE notifications');
    // PostgreSQL may use no index of a table that changed until every older transaction on the server has ended.
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
