import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';

import type { OutRecord } from '@gondola/kafka/records/record-codec';
import { OutboxSource } from '@gondola/lanes/outbox/outbox-source';
import { Outbox } from '@gondola/lanes/outbox/outbox';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { eventOf, publish } from '@gondola/lanes/testing/relay-invariants';
import { openTestDatabase, type TestDatabase } from '@gondola/lanes/testing/test-database';
import { ParkedOutbox } from './parked-outbox.ts';
import { ParkedController } from './parked.controller.ts';

let test: TestDatabase;
let api: ParkedController;
let wakes = 0;

beforeAll(async () => {
  test = await openTestDatabase('parked');
  const relay = { wake: () => (wakes += 1) } as never;
  api = new ParkedController(new ParkedOutbox(test.database, relay), quietLogger());
});

afterEach(() => test.database.query('TRUNCATE outbox'));

afterAll(() => test.close());

function event(order: string, place: number, of: Partial<OutRecord> = {}): OutRecord {
  return { ...eventOf(order, place), subject: `order/${order}`, ...of };
}

/** Parks all records that wait. */
async function park(reason: string): Promise<void> {
  await test.database.query('UPDATE outbox SET parked_at = now(), parked_reason = $1 WHERE parked_at IS NULL', [
    reason,
  ]);
}

async function waiting(): Promise<string[]> {
  const limit = { records: 100, bytes: 1_000_000 };
  const rows = await test.database.transaction((tx) =>
    new OutboxSource().advance(tx, { limit, acked: [], underWay: [] }),
  );
  return rows.map(({ key }) => String(key));
}

describe('parked records', () => {
  it('are listed with reason, time, size, topic, type and entity, newest first, by page', async () => {
    await publish(test.database, event('7', 1), event('8', 1, { tenant: 'bairro' }), event('9', 1));
    await park('MESSAGE_TOO_LARGE');
    const all = await api.list({});
    expect(all.entries.map(({ subject }) => subject)).toEqual(['order/9', 'order/8', 'order/7']);
    expect(all.entries[1]).toEqual({
      id: expect.any(String),
      tenant: 'bairro',
      topic: 'erp.orders.events.v1',
      reason: 'MESSAGE_TOO_LARGE',
      parkedAt: expect.any(Date),
      storedAt: expect.any(Date),
      bytes: expect.any(Number),
      type: 'OrderChanged',
      subject: 'order/8',
    });
    const first = await api.list({ limit: '1' });
    expect(await api.list({ limit: '2', before: first.next! })).toMatchObject({
      entries: all.entries.slice(1),
      next: null,
    });
    expect((await api.list({ tenant: 'bairro' })).entries).toHaveLength(1);
    expect((await api.list({ topic: 'catalog.skus.v1' })).entries).toEqual([]);
    expect((await api.list({ reason: 'INVALID_RECORD' })).entries).toEqual([]);
    expect(await api.show(all.entries[1]!.id)).toEqual(all.entries[1]);
  });

  it('are counted by tenant, reason and topic', async () => {
    await publish(test.database, event('7', 1), event('7', 2), event('8', 1, { tenant: 'bairro' }));
    await park('MESSAGE_TOO_LARGE');
    const { groups } = await api.groups({});
    const found = groups.map(({ tenant, reason, count, isMore }) => ({ tenant, reason, count, isMore }));
    expect(found).toEqual([
      { tenant: 'acme', reason: 'MESSAGE_TOO_LARGE', count: 2, isMore: false },
      { tenant: 'bairro', reason: 'MESSAGE_TOO_LARGE', count: 1, isMore: false },
    ]);
    expect((await api.groups({ tenant: 'bairro' })).groups).toHaveLength(1);
  });

  it('show nothing of what somebody else wrote into a record, whatever it is', async () => {
    const headers: [string, Buffer][] = [
      ['ce_subject', Buffer.from('cliente@example.com')],
      ['ce_type', Buffer.from('\0"["ce_tenant","other"]')],
      ['ce_tenant', Buffer.from('acme')],
      ['ce_redrivegroup', Buffer.from('gondola.order-command-handler')],
    ];
    await test.database.transaction((tx) =>
      new Outbox('x').appendWire(tx, [{ topic: 'erp.orders.commands.v1', key: null, value: null, headers }]),
    );
    await park('INVALID_RECORD');
    expect((await api.list({})).entries).toMatchObject([{ tenant: 'acme', subject: null, type: null }]);
  });

  it('wait for Kafka again once they are released, before all that wait, one or all that match', async () => {
    await publish(test.database, event('7', 1), event('7', 2), event('8', 1, { tenant: 'bairro' }));
    await park('MESSAGE_TOO_LARGE');
    await publish(test.database, event('7', 3));
    const before = wakes;
    const [newest] = (await api.list({ tenant: 'acme' })).entries;
    expect(await api.release(newest!.id)).toEqual({ id: newest!.id, topic: 'erp.orders.events.v1' });
    expect(await waiting()).toEqual(['7#2', '7#3']);
    await expect(api.release(newest!.id)).rejects.toMatchObject({ response: { code: 'NOT_FOUND' } });
    await expect(api.release('x')).rejects.toMatchObject({ response: { code: 'NOT_FOUND' } });
    expect(await api.releaseAll({ tenant: 'acme', confirm: true })).toEqual({ released: 1, isMore: false });
    expect(await waiting()).toEqual(['7#1', '7#2', '7#3']);
    expect(await api.releaseAll({ confirm: true })).toEqual({ released: 1, isMore: false });
    expect(wakes).toBeGreaterThan(before);
    expect((await api.list({})).entries).toEqual([]);
  });
});
