import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { Lanes } from '../lanes/lanes.ts';
import { OutboxSource } from './outbox-source.ts';
import { Outbox } from './outbox.ts';
import { headerText, type OutRecord } from '@gondola/kafka/records/record-codec';
import { NewRows } from '../store/new-rows.ts';
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

/** Stored, and held in memory with the word `memory` as value, which shows where a value comes from. */
async function held(...records: OutRecord[]): Promise<Outbox> {
  const recently = new Outbox('order-command-handler');
  const rows = new NewRows();
  const wire = recently.add(rows, records);
  const stored = await test.database.transaction((tx) => recently.insert(tx, rows, wire));
  const inMemory = stored.rows.map((row) => ({
    ...row,
    content: { ...row.content, value: Buffer.from('memory') },
  }));
  recently.hold({ ...stored, rows: inMemory }, true);
  return recently;
}

async function valuesWith({ recent }: Outbox, limit = { records: 100, bytes: 1_000_000 }): Promise<string[]> {
  const step = { limit, acked: [], underWay: [] };
  const rows = await test.database.transaction((tx) => new OutboxSource(recent).advance(tx, step));
  return rows.map(({ value }) => String(value));
}

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

  describe('with records that this process stored', () => {
    it('takes them from memory, in the order of the table, and reads the others', async () => {
      await append(event('before'));
      const recently = await held(event('a'), event('b'));
      await append(event('after'));
      expect(await valuesWith(recently)).toEqual(['before', 'memory', 'memory', 'after']);
      expect(await valuesWith(recently)).toEqual(['before', 'a', 'b', 'after']);
    });

    it('returns what it would read', async () => {
      const { recent } = await held({ ...event('a', 'memory'), key: null });
      const step = { limit: { records: 100, bytes: 1_000_000 }, acked: [], underWay: [] };
      const ofMemory = await test.database.transaction((tx) => new OutboxSource(recent).advance(tx, step));
      expect(ofMemory).toEqual(await fetch());
    });

    it('reads what has changed since', async () => {
      const recently = await held(event('a'), event('b'));
      await test.database.query(`UPDATE outbox SET value = 'erased' WHERE seq = 1`);
      expect(await valuesWith(recently)).toEqual(['erased', 'memory']);
    });

    it('counts the sizes of both', async () => {
      const recently = await held(...['a', 'b', 'c'].map((id) => event(id, 'x'.repeat(10_000))));
      expect(await valuesWith(recently, { records: 100, bytes: 25_000 })).toEqual(['memory', 'memory']);
    });

    it('lets go of what another process published, and holds nothing while another one publishes', async () => {
      const recently = await held(event('a'));
      await test.database.query('DELETE FROM outbox');
      expect(await valuesWith(recently)).toEqual([]);
      expect(recently.recent.isEmpty).toBe(true);
      recently.hold({ rows: [{ id: 1, bytes: 1, content: (await fetch())[0]! }], version: '1' }, false);
      expect(recently.recent.isEmpty).toBe(true);
    });
  });
});
