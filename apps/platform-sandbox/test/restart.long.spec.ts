import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { productItem, skuItem } from './support/catalog-items.ts';
import { Shop, type Merchant } from './support/shop.ts';

/** Enough products for several of the core's transactions. */
const COUNT = 200;

function items(): unknown[] {
  return Array.from({ length: COUNT }, (_, n) =>
    productItem({ externalReference: `p${n}`, slug: `p${n}`, skus: [skuItem({ externalReference: `p${n}-1` })] }),
  );
}

/**
 * Each product is notified as created, and stored once with its SKU. A notification is delivered once, and arrives
 * again only if an attempt was left without its answer.
 */
const ALL_ONCE = { created: COUNT, delivered: COUNT, unexplained: 0, products: COUNT };

describe('a restart during asynchronous work', () => {
  let shop: Shop;
  let client: Client;
  const log: string[] = [];

  beforeEach(async () => {
    log.length = 0;
    shop = await Shop.open({ WEBHOOK_CONCURRENCY: '2' }, { write: (line) => void log.push(line) });
    client = new Client({ connectionString: testStack().databaseUrl });
    await client.connect();
    await client.query(`SET search_path = ${shop.databaseSchema}`);
  });
  afterEach(async () => {
    await client.end();
    await shop.close();
  });

  function interruptions(): number {
    return log.filter((line) => line.includes('A delivery was interrupted')).length;
  }

  function notifiedReferences(merchant: Merchant): string[] {
    return shop
      .envelopesOf(merchant, 'ProductWithSKUs_Created')
      .map(({ data }) => (data.product as { externalReference: string }).externalReference);
  }

  async function storedProducts({ contractAccountId }: Merchant): Promise<number> {
    const { rows } = await client.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM products p JOIN skus s ON s.product_id = p.id WHERE p.contract_account_id = $1',
      [contractAccountId],
    );
    return rows[0]?.count ?? 0;
  }

  async function outcome(merchant: Merchant): Promise<typeof ALL_ONCE> {
    const { rows: attempts } = await client.query<{ answer: number | null }>(
      'SELECT answer FROM delivery_attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE contract_account_id = $1',
      [merchant.contractAccountId],
    );
    return {
      created: new Set(notifiedReferences(merchant)).size,
      delivered: attempts.filter(({ answer }) => answer === 200).length,
      unexplained: Math.max(0, shop.envelopesOf(merchant).length - attempts.length),
      products: await storedProducts(merchant),
    };
  }

  /** Waits for the end of connections, so that no later call gets one that is about to break. */
  async function untilGone(pids: readonly number[]): Promise<void> {
    const left = 'SELECT FROM pg_stat_activity WHERE pid = ANY ($1)';
    await waitFor(async () => (await client.query(left, [pids])).rowCount === 0, {
      describe: 'the connections to end',
    });
  }

  it('loses and repeats nothing after repeated stops', async () => {
    const merchant = await shop.merchant();
    await shop.load(merchant, items());
    for (const notified of [2, 10, 20, 30]) {
      await waitFor(() => notifiedReferences(merchant).length >= notified, { describe: `${notified} notifications` });
      await shop.stop();
      await shop.start();
    }
    await shop.idle();
    expect(await outcome(merchant)).toEqual(ALL_ONCE);
  });

  it('loses and repeats nothing after repeated losses of every database connection', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/sender', { paused: true });
    await shop.load(merchant, items());
    for (const applied of [1, 60, 120]) {
      await waitFor(async () => (await storedProducts(merchant)) >= applied, { describe: `${applied} products` });
      const { rows } = await client.query<{ pid: number }>(
        `SELECT pid, pg_terminate_backend(pid) FROM pg_locks JOIN pg_class ON pg_class.oid = relation
         WHERE relnamespace = $1::regnamespace AND pid <> pg_backend_pid()`,
        [shop.databaseSchema],
      );
      await untilGone(rows.map(({ pid }) => pid));
    }
    await waitFor(async () => (await shop.call('GET', '/health/ready')).status === 200, { describe: 'the sandbox' });
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(await outcome(merchant)).toEqual(ALL_ONCE);
  });

  it('counts an attempt with an unknown result as made', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/sender', { paused: true });
    await shop.load(merchant, [productItem()]);
    await waitFor(async () => (await client.query(`SELECT 1 FROM deliveries WHERE state = 'pending'`)).rowCount === 1, {
      describe: 'the notification',
    });
    await shop.stop();
    // State that a process leaves when it dies during its second attempt.
    await client.query(`
      WITH died AS (UPDATE deliveries SET attempts = 2 WHERE state = 'pending' RETURNING id)
      INSERT INTO delivery_attempts (delivery_id, attempt) SELECT id, attempt FROM died, generate_series(1, 2) AS attempt`);
    shop.receiver.answering = () => 500;
    await shop.start();
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(1);
    expect(await shop.admin('GET', '/dead-letters')).toMatchObject([{ attempts: 3 }]);
  });

  it('is followed by another attempt if the database did not store the result of one', async () => {
    const merchant = await shop.merchant();
    const answered = Promise.withResolvers<number>();
    shop.receiver.answering = () => answered.promise;
    await shop.load(merchant, [productItem()]);
    await waitFor(() => shop.envelopesOf(merchant).length === 1, { describe: 'the notification' });
    await client.query('ALTER TABLE delivery_attempts RENAME TO away');
    const failures = interruptions();
    answered.resolve(200);
    await waitFor(() => interruptions() > failures, { describe: 'the failure' });
    await client.query('ALTER TABLE away RENAME TO delivery_attempts');
    await shop.idle();
    expect(shop.envelopesOf(merchant)).toHaveLength(2);
  });

  it('delays no other notification by one whose attempts are used up', async () => {
    const merchant = await shop.merchant();
    await shop.admin('POST', '/sender', { paused: true });
    await shop.load(merchant, items().slice(0, 3));
    await waitFor(async () => (await client.query(`SELECT 1 FROM deliveries WHERE state = 'pending'`)).rowCount === 3, {
      describe: 'the notifications',
    });
    await client.query(
      `UPDATE deliveries SET attempts = 3 WHERE id IN (SELECT id FROM deliveries WHERE state = 'pending' ORDER BY id LIMIT 2)`,
    );
    await shop.admin('POST', '/sender', { paused: false });
    await shop.idle();
    expect(notifiedReferences(merchant)).toEqual(['p2']);
  });

  it('does later work when it is due', async () => {
    const merchant = await shop.stockedMerchant();
    await shop.admin('POST', '/switches', { cancellationMs: 500 });
    const { number } = await shop.buy(merchant);
    await shop.accepted(merchant, 'POST', `/v1/Orders/${number}/cancel`, {});
    await waitFor(() => shop.notifiedStatuses(merchant, number).includes(750), { describe: 'the beginning' });
    await shop.stop();
    await shop.start();
    await shop.idle();
    // The stop may leave the attempt of 750 without its answer, and 750 then arrives again.
    expect([...new Set(shop.notifiedStatuses(merchant, number))]).toEqual([300, 750, 800]);
  });

  it('ends only the operation at which the core fails, without a notification', async () => {
    const merchant = await shop.merchant();
    await client.query(
      `INSERT INTO operations (operation_id, contract_account_id, kind, payload, directive) VALUES ('x', $1, 'unheard-of', '{}', '{}')`,
      [merchant.contractAccountId],
    );
    await shop.load(merchant, [productItem()]);
    await shop.idle();
    expect(notifiedReferences(merchant)).toEqual(['4711']);
  });
});

async function idsOf(shop: Shop): Promise<string[]> {
  const merchant = await shop.merchant();
  return [await shop.load(merchant, []), await shop.load(merchant, [])];
}

describe('the seed', () => {
  it('determines the ids on a fresh schema, and gives other ones after a restart', async () => {
    const [one, two] = await Promise.all([Shop.open({ RANDOM_SEED: '7' }), Shop.open({ RANDOM_SEED: '7' })]);
    try {
      const before = await idsOf(one);
      expect(await idsOf(two)).toEqual(before);
      await one.stop();
      await one.start();
      expect(before).not.toContain((await idsOf(one))[0]);
    } finally {
      await Promise.all([one.close(), two.close()]);
    }
  });
});
