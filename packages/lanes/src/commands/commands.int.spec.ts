import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { type CommandChange, Commands, type InsertedCommands, type OpenCommand } from './commands.ts';
import type { NewCommand } from './new-command.ts';
import { Lanes } from '../lanes/lanes.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';

/** Apps use the content hash of `shared`; this test only requires equal hashes for equal text. */
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
  readonly queue?: string;
}

/** Does what a consumer does with a batch: first the lanes, then their commands. */
async function receive(tenant: string, sent: readonly Sent[]): Promise<InsertedCommands<NewCommand>> {
  return test.database.transaction(async (tx) => {
    const keys = sent.map(({ order }) => ({ tenant, kind: 'order', identity: order }));
    const ids = await lanes.wake(tx, keys);
    return commands.insert(
      tx,
      sent.map(({ order, commandId, value = '{}', queue }) => ({
        ...(queue !== undefined && { queue }),
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

/** The same hundred ids for any order, with different content per order. */
function hundred(order: string, reverse: boolean): Sent[] {
  const sent = Array.from({ length: 100 }, (_, index) => ({ order, commandId: `c-${index}`, value: `"${order}"` }));
  return reverse ? sent.toReversed() : sent;
}

async function lanesOf(tenant: string): Promise<string[]> {
  const text = 'SELECT id FROM lanes WHERE tenant = $1 ORDER BY identity';
  const { rows } = await test.database.query<{ id: string }>(text, [tenant]);
  return rows.map(({ id }) => id);
}

async function headsOf(tenant: string): Promise<OpenCommand[]> {
  return commands.heads(test.database, await lanesOf(tenant));
}

/** Saves the change for all ids in one statement. */
async function save(ids: readonly string[], change: Partial<Omit<CommandChange, 'id'>>): Promise<void> {
  const changes = ids.map((id) => ({ id, progress: null, ...change }));
  await test.database.transaction((tx) => commands.save(tx, changes));
}

async function turns(tenant: string): Promise<string[]> {
  return (await headsOf(tenant)).map(({ commandId }) => commandId);
}

async function finish(id: string, resultId: string): Promise<boolean> {
  const given = await test.database.transaction((tx) => commands.conclude(tx, [{ id, outcome: 'applied', resultId }]));
  return given.has(id);
}

describe('Commands.insert', () => {
  it('stores a command once; the same content again is a repeat, other content a conflict (rule 19)', async () => {
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

  it('names the first command’s result if there is one', async () => {
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

  it('distinguishes tenants', async () => {
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
    const [laneId] = await lanesOf('order');
    const open = await commands.open(test.database, laneId!, 6_000);
    expect(open.map(({ commandId }) => commandId)).toEqual(ids);
  });

  it('does not deadlock when replicas receive the same ids in different orders for different lanes', async () => {
    const all = await Promise.all(
      ['1', '2', '3', '4', '5', '6'].map((order, index) => receive('replicas', hundred(order, index % 2 === 0))),
    );
    expect(all.reduce((sum, { inserted }) => sum + inserted.length, 0)).toBe(100);
    expect(all.reduce((sum, { conflicts }) => sum + conflicts.length, 0)).toBe(500);
  });

  it('stores a tombstone, and accepts an empty list', async () => {
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
    const laneIds = await lanesOf('tombstone');
    expect(await commands.lanesWithOpen(test.database, [...laneIds, '0'])).toEqual(new Set(laneIds));
    expect(await test.database.transaction((tx) => commands.insert(tx, []))).toEqual({
      inserted: [],
      repeats: [],
      conflicts: [],
    });
  });
});

describe('Commands, in the queues of a lane', () => {
  it('each queue has its own head, and commands beside the main queue come first (rule 19)', async () => {
    const { inserted } = await receive('queues', [
      { order: '1', commandId: 'ship' },
      { order: '1', commandId: 'deliver' },
      { order: '1', commandId: 'cancel', queue: 'cancel' },
      { order: '1', commandId: 'cancel again', queue: 'cancel' },
      { order: '1', commandId: 'refresh', queue: 'refresh' },
      { order: '2', commandId: 'pick' },
    ]);
    expect((await turns('queues')).toSorted()).toEqual(['cancel', 'pick', 'refresh', 'ship']);
    expect((await turns('queues')).slice(0, 2).toSorted()).toEqual(['cancel', 'refresh']);
    await finish(inserted[2]!.id, 'r');
    expect((await turns('queues')).toSorted()).toEqual(['cancel again', 'pick', 'refresh', 'ship']);
    const [first] = await lanesOf('queues');
    const open = await commands.open(test.database, first!, 10);
    expect(open.map(({ commandId, queue }) => `${queue} ${commandId}`)).toEqual([
      'main ship',
      'main deliver',
      'cancel cancel again',
      'refresh refresh',
    ]);
  });

  it('counts open commands, and those that were sent, by tenant, kind and name', async () => {
    const { inserted } = await receive('counted', [
      { order: '1', commandId: 'a' },
      { order: '1', commandId: 'b' },
      { order: '2', commandId: 'c' },
    ]);
    await finish(inserted[2]!.id, 'r');
    await save([inserted[0]!.id], { attempt: { kind: 'made', deadlineMs: 60_000 } });
    const count = { tenant: 'counted', kind: 'order', command: 'MarkReady', open: 2, sent: 1 };
    expect(await commands.countOpen(test.database, 'counted')).toEqual([count]);
    await receive('not-counted', [{ order: '1', commandId: 'a' }]);
    const ofAll = (await commands.countOpen(test.database, null)).filter(({ tenant }) => tenant.endsWith('counted'));
    expect(ofAll).toEqual([count, { ...count, tenant: 'not-counted', open: 1, sent: 0 }]);
  });

  it('finds the lanes of known commands, open or done', async () => {
    const { inserted } = await receive('owned', [{ order: '7', commandId: 'a' }]);
    await finish(inserted[0]!.id, 'r');
    const topic = 'erp.orders.commands.v1';
    const asked = ['a', 'unknown'].map((commandId) => ({ tenant: 'owned', topic, commandId }) as const);
    expect(await commands.lanesOf(test.database, asked)).toEqual([{ tenant: 'owned', kind: 'order', identity: '7' }]);
  });

  it('lists the commands of lanes, open or done, newest first and in pages', async () => {
    const sent = ['1', '2', '1'].map((order, index) => ({ order, commandId: `c-${index}` }));
    const { inserted } = await receive('listed', sent);
    await receive('listed-beside', [{ order: '3', commandId: 'c-9' }]);
    expect(await finish(inserted.find(({ item }) => item.commandId === 'c-0')!.id, 'r-0')).toBe(true);
    const laneIds = await lanesOf('listed');
    const all = await commands.ofLanes(test.database, laneIds, '9223372036854775807', 10);
    expect(new Set(all.map(({ identity, commandId, outcome }) => [identity, commandId, outcome].join(' ')))).toEqual(
      new Set(['1 c-0 applied', '2 c-1 ', '1 c-2 ']),
    );
    expect(await commands.ofLanes(test.database, laneIds, all[0]!.id, 1)).toEqual([all[1]]);
  });

  it('finds commands by their ids, open or done, with the identity of their lanes', async () => {
    await receive('named', [
      { order: '1', commandId: 'done' },
      { order: '2', commandId: 'open' },
    ]);
    const [first] = await headsOf('named');
    await test.database.transaction((tx) =>
      commands.conclude(tx, [{ id: first!.id, outcome: 'applied', resultId: 'r-1' }]),
    );
    const found = await commands.named(test.database, 'named', 'erp.orders.commands.v1', ['open', 'done', 'unknown']);
    expect(found).toMatchObject([
      { commandId: 'done', identity: '1', outcome: 'applied', resultId: 'r-1', finishedAt: expect.any(String) },
      { commandId: 'open', identity: '2', outcome: null, resultId: null, finishedAt: null },
    ]);
    expect(await commands.named(test.database, 'another', 'erp.orders.commands.v1', ['done'])).toEqual([]);
  });
});

describe('Commands that need not wait for each other', () => {
  it('are all read if they were sent, and the oldest if they were not, in order of arrival', async () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const { inserted } = await receive(
      'values',
      ids.map((commandId) => ({ order: '1', commandId })),
    );
    await save([inserted[1]!.id, inserted[4]!.id], { attempt: { kind: 'made', deadlineMs: 60_000 } });
    const [laneId] = await lanesOf('values');
    const open = await commands.openOf(test.database, [laneId!, '0'], 2);
    expect([...open.keys()]).toEqual([laneId]);
    expect(open.get(laneId!)!.map(({ commandId }) => commandId)).toEqual(['a', 'b', 'c', 'e']);
  });
});

describe('Commands, from first attempt to outcome', () => {
  it('the deadline runs from the first attempt (rule 5)', async () => {
    const { inserted } = await receive('sending', [{ order: '1', commandId: 'c-1' }]);
    const id = inserted[0]!.id;
    expect(await headsOf('sending')).toMatchObject([{ attempts: 0, firstSentAt: null, deadlineInMs: null }]);
    const deadlineMs = 3_600_000;
    await save([id], { attempt: { kind: 'made', deadlineMs } });
    const [once] = await headsOf('sending');
    expect(once?.deadlineInMs).toBeGreaterThan(deadlineMs / 2);
    expect(once?.deadlineInMs).toBeLessThanOrEqual(deadlineMs);
    await save([id], { attempt: { kind: 'made', deadlineMs: 2 * deadlineMs } });
    const [twice] = await headsOf('sending');
    expect(twice).toMatchObject({ attempts: 2, firstSentAt: once?.firstSentAt, deadlineAt: once?.deadlineAt });
  });

  it('an attempt that cannot have arrived is reverted, and the deadline with the first one', async () => {
    const { inserted } = await receive('unsent', [{ order: '1', commandId: 'c-1' }]);
    const ids = inserted.map(({ id }) => id);
    await save(ids, { attempt: { kind: 'made', deadlineMs: 60_000 } });
    await save(ids, { attempt: { kind: 'made', deadlineMs: 60_000 } });
    await save(ids, { attempt: { kind: 'taken-back' } });
    expect(await headsOf('unsent')).toMatchObject([{ attempts: 1, firstSentAt: expect.any(String) }]);
    await save(ids, { attempt: { kind: 'taken-back' } });
    await save(ids, { attempt: { kind: 'taken-back' } });
    expect(await headsOf('unsent')).toMatchObject([{ attempts: 0, firstSentAt: null, deadlineAt: null }]);
  });

  it('progress of many open commands is stored unchanged in one statement, each with its own', async () => {
    const { inserted } = await receive('progress', [{ order: '1', commandId: 'c-1' }]);
    const progress = '{"b": 1.10, "a": null}';
    await save([inserted[0]!.id], { progress });
    expect(await headsOf('progress')).toMatchObject([{ progress }]);
    await save([inserted[0]!.id], { attempt: { kind: 'made', deadlineMs: 1 } });
    expect(await headsOf('progress')).toMatchObject([{ progress, attempts: 1 }]);
    const others = (await receive('progress', [{ order: '2', commandId: 'c-2' }])).inserted;
    await test.database.transaction((tx) =>
      commands.save(tx, [
        { id: inserted[0]!.id, progress: '{"mine":1}' },
        { id: others[0]!.id, progress: '{"other":2}' },
      ]),
    );
    expect((await headsOf('progress')).map((head) => head.progress ?? '').toSorted()).toEqual([
      '{"mine":1}',
      '{"other":2}',
    ]);
    await finish(inserted[0]!.id, 'r');
    await save([inserted[0]!.id], { progress: '{"late":3}' });
    expect(await headsOf('progress')).toHaveLength(1);
  });

  it('if many conclude one command at once, one of them sets the outcome for good', async () => {
    const { inserted } = await receive('outcome', [{ order: '1', commandId: 'c-1' }]);
    const { id } = inserted[0]!;
    const given = await Promise.all(Array.from({ length: 8 }, (_, index) => finish(id, `result-${index}`)));
    expect(given.filter(Boolean)).toHaveLength(1);
    const { repeats } = await receive('outcome', [{ order: '1', commandId: 'c-1' }]);
    expect(repeats[0]?.first.resultId).toBe(`result-${given.indexOf(true)}`);
    expect(await finish(id, 'too late')).toBe(false);
  });

  it('the next command of the lane is its head when the first is done', async () => {
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
