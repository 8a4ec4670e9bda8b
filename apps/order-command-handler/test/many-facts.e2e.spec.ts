import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { OrderApp } from './support/order-app.ts';
import { orderData } from './support/platform-order.ts';

const NUMBER = 270_001;

describe('an order with very many notifications', () => {
  let app: OrderApp;
  let db: Client;

  beforeAll(async () => {
    app = await OrderApp.start('many-facts');
    db = new Client({ connectionString: app.installation.schemaUrl });
    await db.connect();
  });

  afterAll(async () => {
    await db.end();
    await app.stop();
  });

  /** The facts that the next step of its lane loads. */
  const loaded = async (): Promise<number> => {
    const { rows } = await db.query<{ facts: number }>(
      `SELECT count(*)::int AS facts FROM order_facts AS f JOIN orders AS o ON o.lane_id = f.lane_id
       WHERE f.id > o.folded_up_to OR f.id = ANY (o.folded_facts)`,
    );
    return rows[0]!.facts;
  };

  it('is worked on with a handful of them, and its commands find their answers (rules 9, 10)', async () => {
    await app.notify(notice(300, 0));
    await app.eventsOf(NUMBER, 1);
    await app.notify(...Array.from({ length: 300 }, (_, index) => notice(300, index + 1)));
    await app.until(async () => (await factsIn(db)) === 301 && (await loaded()) < 30);
    expect(app.events(NUMBER)).toHaveLength(1);
    app.platform.on.status = () => ({ status: 200, json: { operationId: 'op-many' } });
    await app.command({ commandId: 'prepare-many', command: 'StartPreparation', orderNumber: NUMBER });
    await app.until(() => app.platform.callsOf(NUMBER, 'status').length === 1);
    await app.notify(...Array.from({ length: 40 }, (_, index) => notice(300, index + 400)));
    await app.notify({ ...notice(400, 900), operationId: 'op-many' });
    const result = await app.resultOf('prepare-many');
    expect(result.value).toMatchObject({ outcome: 'applied', evidence: 'event', revision: 1 });
    expect(app.platform.callsOf(NUMBER, 'read')).toEqual([]);
    await app.notify(notice(500, 1_000));
    const [, ready] = await app.eventsOf(NUMBER, 2);
    expect(ready!.value).toMatchObject({ type: 'OrderReady', revision: 2, previousStatus: { code: 400 } });
  });
});

function notice(status: number, second: number) {
  return { data: orderData({ number: NUMBER, status, updatedAt: `2026-11-20T10:${minuteOf(second)}` }) };
}

function minuteOf(second: number): string {
  return [Math.floor(second / 60), second % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

async function factsIn(db: Client): Promise<number> {
  const { rows } = await db.query<{ facts: number }>('SELECT count(*)::int AS facts FROM order_facts');
  return rows[0]!.facts;
}
