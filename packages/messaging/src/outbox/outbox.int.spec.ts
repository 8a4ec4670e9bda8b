import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { Lanes } from '../lanes/lanes.ts';
import { OutboxSource } from './outbox-source.ts';
import { Outbox } from './outbox.ts';
import { headerText, type OutRecord } from '../codec/record-codec.ts';
import type { RelayRow } from './relay-source.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

let test: TestDatabase;
const outbox = new Outbox('order-command-handler');
const source = new OutboxSource();

beforeAll(async () => {
  test = await openTestDatabase('outbox');
});

beforeEach(async () => {
  await test.database.query('TRUNCATE outbox RESTART IDENTITY');
});

afterAll(async () => {
  await test.close();
});

function event(id: string, value = id): OutRecord {
  return {
    topic: 'erp.orders.events.v1',
    key: id,
    id,
    type: 'OrderApproved',
    time: '2026-11-20T10:00:00Z',
    tenant: 'acme',
    partitionKey: 'acme/order/1',
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    value: Buffer.from(value),
  };
}

async function append(...records: OutRecord[]): Promise<void> {
  await test.database.transaction((tx) => outbox.append(tx, records));
}

async function fetch(limit = { records: 100, bytes: 1_000_000 }): Promise<RelayRow[]> {
  return test.database.transaction((tx) => source.advance(tx, { limit, acked: [], underWay: [] }));
}

function idsOf(rows: readonly RelayRow[]): Array<string | undefined> {
  return rows.map(({ headers }) => headerText(headers, 'ce_id'));
}

describe('Outbox', () => {
  it('has records only if their transaction commits', async () => {
    await append(event('committed'));
    const failing = test.database.transaction(async (tx) => {
      await outbox.append(tx, [event('rolled back')]);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    await test.database.transaction(async (tx) => {
      await outbox.append(tx, [event('open')]);
      expect(idsOf(await fetch())).toEqual(['committed']);
    });
    expect(idsOf(await fetch())).toEqual(['committed', 'open']);
  });

  it('returns key, value and headers byte for byte, nulls included', async () => {
    const bytes = Buffer.from([0, 255, 128]);
    await append(
      { ...event('bytes'), key: bytes, value: bytes, extra: { binary: bytes } },
      { ...event('tombstone'), key: null, value: null },
    );
    const [first, second] = await fetch();
    expect(first).toMatchObject({ topic: 'erp.orders.events.v1', key: bytes, value: bytes });
    expect(first?.headers).toContainEqual(['binary', bytes]);
    expect(headerText(first!.headers, 'ce_source')).toBe('/gondola/order-command-handler');
    expect(second).toMatchObject({ key: null, value: null });
  });

  it('keeps the order of appends, across statements too', async () => {
    const ids = Array.from({ length: 7_000 }, (_, index) => String(index));
    await append(...ids.map((id) => event(id)));
    expect(idsOf(await fetch({ records: 10_000, bytes: 100_000_000 }))).toEqual(ids);
  });

  it('numbers an entity’s records in commit order if its lane is locked first', async () => {
    const lanes = new Lanes(test.database);
    const committed: string[] = [];
    await Promise.all(
      Array.from({ length: 40 }, async (_, index) => {
        await test.database.transaction(async (tx) => {
          await lanes.wake(tx, [{ tenant: 'acme', kind: 'order', identity: '1' }]);
          await outbox.append(tx, [event(`${index}`)]);
          // The lane is locked until the commit, so this is the order of the commits.
          committed.push(`${index}`);
        });
      }),
    );
    expect(idsOf(await fetch())).toEqual(committed);
  });
});

describe('OutboxSource', () => {
  it('fetches records up to the limits of count and bytes, and a larger one alone', async () => {
    await append(
      ...['a', 'b', 'c'].map((id) => event(id, 'x'.repeat(10_000))),
      event('large', 'x'.repeat(50_000)),
      event('e'),
    );
    expect(idsOf(await fetch({ records: 2, bytes: 1_000_000 }))).toEqual(['a', 'b']);
    const first = await fetch({ records: 100, bytes: 32_000 });
    expect(idsOf(first)).toEqual(['a', 'b', 'c']);
    await test.database.transaction((tx) =>
      source.markSent(
        tx,
        first.map(({ id }) => id),
      ),
    );
    expect(idsOf(await fetch({ records: 100, bytes: 32_000 }))).toEqual(['large']);
  });

  it('skips parked records until an operator removes the mark', async () => {
    await append(event('a'), event('b'));
    const [a] = await fetch();
    await test.database.transaction((tx) => source.park(tx, a!.id, 'MESSAGE_TOO_LARGE'));
    expect(idsOf(await fetch())).toEqual(['b']);
    expect(await source.backlog(test.database)).toMatchObject({ records: 1, parked: 1, oldestMs: expect.any(Number) });
    await test.database.query('UPDATE outbox SET parked_at = NULL, parked_reason = NULL');
    expect(idsOf(await fetch())).toEqual(['a', 'b']);
  });

  it('reports an empty backlog', async () => {
    expect(await source.backlog(test.database)).toEqual({ records: 0, parked: 0, oldestMs: null });
  });
});
