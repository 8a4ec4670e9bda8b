import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { productItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

const KEPT = 5;

const SERIES = 'generate_series(1, 2500)';
/** For each table a statement that adds 2,500 finished entries at once. */
const FINISHED: Readonly<Record<string, string>> = {
  operations: `INSERT INTO operations (operation_id, contract_account_id, kind, payload, directive, state)
    SELECT 'op', 'c', 'product', '{}', '{}', 'applied' FROM ${SERIES}`,
  rejections: `INSERT INTO rejections (operation_id, event_type, error) SELECT 'op', 'x', '{}' FROM ${SERIES}`,
  deliveries: `WITH added AS (
      INSERT INTO deliveries (operation_id, contract_account_id, event_type, body, state, due_at)
      SELECT 'op', 'c', 'x', '', 'delivered', now() FROM ${SERIES} RETURNING id
    )
    INSERT INTO delivery_attempts (delivery_id, attempt) SELECT id, 1 FROM added`,
};

describe('the history of operations and notifications', () => {
  let shop: Shop;
  let client: Client;
  let merchant: Merchant;

  beforeEach(async () => {
    shop = await Shop.open({ HISTORY_KEPT: String(KEPT), HISTORY_SWEEP_MS: '20' });
    client = new Client({ connectionString: testStack().databaseUrl });
    await client.connect();
    await client.query(`SET search_path = ${shop.databaseSchema}`);
    merchant = await shop.merchant();
  });
  afterEach(async () => {
    await client.end();
    await shop.close();
  });

  function load(name: string, count: number): Promise<string> {
    const references = Array.from({ length: count }, (_, index) => `${name}${index}`);
    return shop.load(
      merchant,
      references.map((reference) => productItem({ externalReference: reference, slug: reference })),
    );
  }

  async function untilRows(table: string, state: string, count: number): Promise<void> {
    await untilCount(table, `state = '${state}'`, count);
  }

  async function untilCount(table: string, condition: string, count: number): Promise<void> {
    const text = `SELECT count(*)::int AS count FROM ${table} WHERE ${condition}`;
    await waitFor(async () => (await client.query<{ count: number }>(text)).rows[0]?.count === count, {
      describe: `${count} ${table} where ${condition}`,
    });
  }

  it('keeps the newest, with their attempts', async () => {
    await load('told', 12);
    await shop.idle();
    await untilRows('operations', 'applied', KEPT);
    await untilRows('deliveries', 'delivered', KEPT);
    const { rows } = await client.query<{ about: string; attempts: number }>(
      `SELECT convert_from(body, 'UTF8')::json #>> '{data,product,externalReference}' AS about, count(a.*)::int AS attempts
         FROM deliveries d JOIN delivery_attempts a ON a.delivery_id = d.id GROUP BY d.id ORDER BY d.id`,
    );
    expect(rows).toEqual([7, 8, 9, 10, 11].map((n) => ({ about: `told${n}`, attempts: 1 })));
    expect(await shop.admin('GET', '/deliveries')).toHaveLength(KEPT);
  });

  it('keeps the newest dead letters, regardless of later deliveries', async () => {
    shop.receiver.answering = () => 500;
    await load('dead', 8);
    await shop.idle();
    await untilRows('deliveries', 'dead', KEPT);
    shop.receiver.answering = () => 200;
    await load('after', 12);
    await shop.idle();
    await untilRows('deliveries', 'delivered', KEPT);
    expect(await shop.admin('GET', '/dead-letters')).toHaveLength(KEPT);
  });

  it('keeps the newest refusals', async () => {
    await shop.load(
      merchant,
      Array.from({ length: 12 }, (_, index) => ({ externalReference: `refused${index}` })),
    );
    await shop.idle();
    const abouts = 'SELECT about FROM rejections ORDER BY id';
    await waitFor(async () => (await client.query(abouts)).rowCount === KEPT, { describe: `${KEPT} refusals` });
    const { rows } = await client.query<{ about: string }>(abouts);
    expect(rows.map(({ about }) => about)).toEqual([7, 8, 9, 10, 11].map((n) => `refused${n}`));
  });

  it.each(Object.entries(FINISHED))('is removed in steps of at most a thousand entries: %s', async (table, rows) => {
    await client.query(
      `CREATE TABLE steps (n int GENERATED ALWAYS AS IDENTITY, size int);
         CREATE FUNCTION record_step() RETURNS trigger LANGUAGE plpgsql AS
           'BEGIN INSERT INTO steps (size) SELECT count(*) FROM gone; RETURN NULL; END';
         CREATE TRIGGER steps AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
           FOR EACH STATEMENT EXECUTE FUNCTION record_step()`,
    );
    await client.query(rows);
    await untilCount(table, 'true', KEPT);
    const { rows: steps } = await client.query<{ size: number }>('SELECT size FROM steps WHERE size > 0 ORDER BY n');
    expect(steps.map(({ size }) => size)).toEqual([1_000, 1_000, 500 - KEPT]);
    expect((await client.query('SELECT FROM delivery_attempts')).rowCount).toBe(table === 'deliveries' ? KEPT : 0);
  });

  it('never loses waiting entries', async () => {
    await shop.admin('POST', '/sender', { paused: true });
    const operationId = await load('waiting', 12);
    await untilRows('deliveries', 'pending', 12);
    await untilRows('operations', 'applied', KEPT);
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(shop.envelopesOf(merchant).filter((envelope) => envelope.operationId === operationId)).toHaveLength(12);
  });
});
