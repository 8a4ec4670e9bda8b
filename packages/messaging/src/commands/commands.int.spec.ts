import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Commands, type InsertedCommands, type NewCommand, type OpenCommand } from './commands.ts';
import { Lanes } from '../lanes/lanes.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/** Apps hash the content by `shared`; here any hash will do that is equal for equal text. */
function hashOf(value: string): string {
  return createHash('sha256').update(value).digest('hex');
}

let test: TestDatabase;
let lanes: Lanes;
const commands = new Commands();

beforeAll(async () => {
  test = await openTestDatabase('commands');
  lanes = new Lanes(test.database);
});

afterAll(async () => {
  await test.close();
});

interface Sent {
  readonly order: string;
  readonly commandId: string;
  readonly value?: string;
}

/** What a consumer does with a batch: lanes first, then their commands. */
async function receive(tenant: string, sent: readonly Sent[]): Promise<InsertedCommands<NewCommand>> {
  return test.database.transaction(async (tx) => {
    const keys = sent.map(({ order }) => ({ tenant, kind: 'order', identity: order }));
    const ids = await lanes.wake(tx, keys);
    return commands.insert(
      tx,
      sent.map(({ order, commandId, value = '{}' }) => ({
        laneId: ids.get(`${tenant}/order/${order}`)!,
        tenant,
        topic: 'erp.orders.commands.v1',
        commandId,
        command: 'MarkReady',
        contentHash: hashOf(value),
        value: Buffer.from(value),
        traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      })),
    );
  });
}

/** The same hundred ids for any order, with a content of its own. */
function hundred(order: string, reverse: boolean): Sent[] {
  const sent = Array.from({ length: 100 }, (_, index) => ({ order, commandId: `c-${index}`, value: `"${order}"` }));
  return reverse ? sent.toReversed() : sent;
}

async function headsOf(tenant: string, limit?: number): Promise<OpenCommand[]> {
  const { rows } = await test.database.query<{ id: string }>(
    'SELECT id FROM lanes WHERE tenant = $1 ORDER BY identity',
    [tenant],
  );
  return commands.heads(
    test.database,
    rows.map(({ id }) => id),
    limit,
  );
}

async function finish(id: string, resultId: string): Promise<boolean> {
  return test.database.transaction((tx) => commands.finish(tx, id, 'applied', resultId));
}

describe('Commands.insert', () => {
  it('takes a command once; the same content again is a repeat, other content a conflict (rule 19)', async () => {
    const first = await receive('once', [{ order: '1', commandId: 'c-1', value: '{"a":1}' }]);
    expect(first).toMatchObject({ inserted: [{ item: { commandId: 'c-1' } }], repeats: [], conflicts: [] });
    const again = await receive('once', [{ order: '1', commandId: 'c-1', value: '{"a":1}' }]);
    const open = { id: first.inserted[0]!.id, outcome: null, resultId: null };
    expect(again).toMatchObject({ inserted: [], repeats: [{ first: open }], conflicts: [] });
    const other = await receive('once', [{ order: '2', commandId: 'c-1', value: '{"a":2}' }]);
    expect(other).toMatchObject({
      inserted: [],
      repeats: [],
      conflicts: [{ item: { commandId: 'c-1' }, first: open }],
    });
  });

  it('names the first command’s result once there is one', async () => {
    const { inserted } = await receive('told', [{ order: '1', commandId: 'c-1' }]);
    await finish(inserted[0]!.id, 'told:result:c-1:applied');
    const { repeats } = await receive('told', [{ order: '1', commandId: 'c-1' }]);
    expect(repeats).toMatchObject([{ first: { outcome: 'applied', resultId: 'told:result:c-1:applied' } }]);
  });

  it('lets the first of two in one batch win', async () => {
    const { inserted, repeats, conflicts } = await receive('batch', [
      { order: '1', commandId: 'c-9', value: '1' },
      { order: '1', commandId: 'c-9', value: '2' },
      { order: '1', commandId: 'c-9', value: '1' },
    ]);
    expect(inserted.map(({ item }) => item.value?.toString())).toEqual(['1']);
    expect(conflicts).toMatchObject([{ first: { id: inserted[0]!.id } }]);
    expect(repeats).toHaveLength(1);
  });

  it('tells tenants apart', async () => {
    await receive('tenant-a', [{ order: '1', commandId: 'c-1' }]);
    expect((await receive('tenant-b', [{ order: '1', commandId: 'c-1', value: '2' }])).inserted).toHaveLength(1);
  });

  it('keeps the order of arrival in a lane, whatever the order of the ids, over statements and batches', async () => {
    const ids = Array.from({ length: 5_000 }, (_, index) => `c-${(index * 7919) % 5_000}`);
    await receive(
      'order',
      ids.slice(0, 4_500).map((commandId) => ({ order: '1', commandId })),
    );
    await receive(
      'order',
      ids.slice(4_500).map((commandId) => ({ order: '1', commandId })),
    );
    expect((await headsOf('order', 6_000)).map(({ commandId }) => commandId)).toEqual(ids);
  });

  it('does not deadlock when replicas receive the same ids in different orders for different lanes', async () => {
    const all = await Promise.all(
      ['1', '2', '3', '4', '5', '6'].map((order, index) => receive('replicas', hundred(order, index % 2 === 0))),
    );
    expect(all.reduce((sum, { inserted }) => sum + inserted.length, 0)).toBe(100);
    expect(all.reduce((sum, { conflicts }) => sum + conflicts.length, 0)).toBe(500);
  });

  it('takes a tombstone and nothing at all', async () => {
    const { inserted } = await test.database.transaction(async (tx) => {
      const ids = await lanes.wake(tx, [{ tenant: 'tombstone', kind: 'product', identity: '4711' }]);
      const [laneId] = [...ids.values()];
      return commands.insert(tx, [
        {
          laneId: laneId!,
          tenant: 'tombstone',
          topic: 'erp.catalog.products.v1',
          commandId: 'erp.catalog.products.v1/0/7',
          command: 'delete',
          contentHash: hashOf(''),
          value: null,
          traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
        },
      ]);
    });
    expect(inserted).toHaveLength(1);
    expect(await headsOf('tombstone')).toMatchObject([{ value: null, command: 'delete' }]);
    expect(await test.database.transaction((tx) => commands.insert(tx, []))).toEqual({
      inserted: [],
      repeats: [],
      conflicts: [],
    });
  });
});

describe('Commands, from first sending to outcome', () => {
  it('the deadline runs from the first sending, and attempts count the sendings (rule 5)', async () => {
    const { inserted } = await receive('sending', [{ order: '1', commandId: 'c-1' }]);
    const id = inserted[0]!.id;
    expect(await headsOf('sending')).toMatchObject([{ attempts: 0, firstSentAt: null, deadlineInMs: null }]);
    await test.database.transaction((tx) => commands.markSending(tx, [id], 60_000));
    const [once] = await headsOf('sending');
    expect(once?.deadlineInMs).toBeGreaterThan(50_000);
    await test.database.transaction((tx) => commands.markSending(tx, [id], 999_000));
    const [twice] = await headsOf('sending');
    expect(twice).toMatchObject({ attempts: 2, firstSentAt: once?.firstSentAt, deadlineAt: once?.deadlineAt });
  });

  it('a sending that cannot have arrived is taken back, and the deadline with the first one', async () => {
    const { inserted } = await receive('unsent', [{ order: '1', commandId: 'c-1' }]);
    const ids = inserted.map(({ id }) => id);
    await test.database.transaction((tx) => commands.markSending(tx, ids, 60_000));
    await test.database.transaction((tx) => commands.markSending(tx, ids, 60_000));
    await test.database.transaction((tx) => commands.markNotSent(tx, ids));
    expect(await headsOf('unsent')).toMatchObject([{ attempts: 1, firstSentAt: expect.any(String) }]);
    await test.database.transaction((tx) => commands.markNotSent(tx, ids));
    await test.database.transaction((tx) => commands.markNotSent(tx, ids));
    expect(await headsOf('unsent')).toMatchObject([{ attempts: 0, firstSentAt: null, deadlineAt: null }]);
  });

  it('progress is kept as it was written while the command is open', async () => {
    const { inserted } = await receive('progress', [{ order: '1', commandId: 'c-1' }]);
    const progress = '{"b": 1.10, "a": null}';
    await test.database.transaction((tx) => commands.saveProgress(tx, inserted[0]!.id, progress));
    expect(await headsOf('progress')).toMatchObject([{ progress }]);
  });

  it('of many who finish one command at once, one gives the outcome, and it stays', async () => {
    const { inserted } = await receive('outcome', [{ order: '1', commandId: 'c-1' }]);
    const { id } = inserted[0]!;
    const given = await Promise.all(Array.from({ length: 8 }, (_, index) => finish(id, `result-${index}`)));
    expect(given.filter(Boolean)).toHaveLength(1);
    const { repeats } = await receive('outcome', [{ order: '1', commandId: 'c-1' }]);
    expect(repeats[0]?.first.resultId).toBe(`result-${given.indexOf(true)}`);
    expect(await finish(id, 'too late')).toBe(false);
  });

  it('the next of the lane is at its head when the first is done', async () => {
    const { inserted } = await receive('head', [
      { order: '1', commandId: 'z' },
      { order: '1', commandId: 'a' },
      { order: '2', commandId: 'm' },
    ]);
    expect((await headsOf('head')).map(({ commandId }) => commandId)).toEqual(['z', 'm']);
    await finish(inserted[0]!.id, 'r');
    expect((await headsOf('head')).map(({ commandId }) => commandId)).toEqual(['a', 'm']);
  });
});
