import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import type { Tx } from '@gondola/service-kit/database/database';

import { ASLEEP, type ClaimedLane, type LaneKey, Lanes, laneText } from './lanes.ts';
import { wakeNow } from '../testing/lane-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';

let test: TestDatabase;
let lanes: Lanes;

beforeAll(async () => {
  test = await openTestDatabase('lanes');
  await createWorkTables(test.database);
  lanes = new Lanes(test.database);
});

afterAll(async () => {
  await test.close();
});

const LEASE_MS = 60_000;

async function wake(...keys: LaneKey[]): Promise<Map<string, string>> {
  return wakeNow({ database: test.database, lanes }, ...keys);
}

async function claim(tenant: string, limit = 10): Promise<ClaimedLane[]> {
  return lanes.claim({ tenant, kind: 'order', limit, leaseMs: LEASE_MS });
}

function order(tenant: string, identity: string): LaneKey {
  return { tenant, kind: 'order', identity };
}

describe('Lanes.wake', () => {
  it('creates a lane once and names it by its key each time, repeated keys in one call included', async () => {
    const first = await wake(order('wake', 'a'), order('wake', 'b'), order('wake', 'a'));
    const again = await wake(order('wake', 'b'));
    expect([...first.keys()].toSorted()).toEqual(['wake/order/a', 'wake/order/b']);
    expect(again.get('wake/order/b')).toBe(first.get('wake/order/b'));
  });

  it('has no effect if the transaction is rolled back', async () => {
    const undone = test.database.transaction(async (tx) => {
      await lanes.wake(tx, [order('undone', 'a')]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await claim('undone')).toEqual([]);
  });

  it('makes a lane due now that was due in an hour', async () => {
    await wake(order('early', 'a'));
    await lanes.finish(await claim('early'), () => 3_600_000);
    expect(await claim('early')).toEqual([]);
    await wake(order('early', 'a'));
    expect(await claim('early')).toHaveLength(1);
  });
});

describe('Lanes.claim', () => {
  it('takes the longest due first, within its limit, and only of the tenant and kind asked for', async () => {
    for (const identity of ['c', 'a', 'b']) await wake(order('limit', identity));
    await wake({ tenant: 'limit', kind: 'product', identity: 'x' }, order('other', 'x'));
    const claimed = await claim('limit', 2);
    expect(claimed.map(({ identity }) => identity).toSorted()).toEqual(['a', 'c']);
    expect((await claim('limit', 2)).map(laneText)).toEqual(['limit/order/b']);
  });

  it('returns lanes in the order in which they were woken together or finished together', async () => {
    const shuffled = Array.from({ length: 100 }, (_, index) => String((index * 37) % 100));
    await wake(...shuffled.map((identity) => order('sorted', identity)));
    const held = await claim('sorted', 100);
    expect(held.map(({ identity }) => identity)).toEqual(shuffled);
    const reversed = held.toReversed();
    await lanes.finish(reversed, () => -1);
    expect((await claim('sorted', 100)).map(({ identity }) => identity)).toEqual(shuffled.toReversed());
  });

  it('skips a lane that an open transaction has locked', async () => {
    await wake(order('locked', 'a'), order('locked', 'b'));
    await test.database.transaction(async (tx) => {
      await lanes.wake(tx, [order('locked', 'a')]);
      expect((await claim('locked')).map(laneText)).toEqual(['locked/order/b']);
    });
    expect((await claim('locked')).map(laneText)).toEqual(['locked/order/a']);
  });

  it('takes a lane whose lease expired, under the next epoch and as a failed one', async () => {
    await wake(order('lapsed', 'a'));
    const [first] = await lanes.claim({ ...order('lapsed', 'a'), limit: 1, leaseMs: -1 });
    const [second] = await claim('lapsed');
    expect(second).toMatchObject({ id: first?.id, failures: 1 });
    expect(BigInt(second!.epoch)).toBe(BigInt(first!.epoch) + 1n);
  });

  it('finds whether a lane is ready and when the next one will be, for each tenant and kind', async () => {
    const group = { tenant: 'ready', kind: 'order' };
    const other = { tenant: 'unready', kind: 'order' };
    const asked = async () => {
      const found = await lanes.readiness([group, other], 2 * LEASE_MS);
      expect(found).toContainEqual({ ...other, isReady: false, nextInMs: null });
      return found.find(({ tenant }) => tenant === group.tenant);
    };
    expect(await asked()).toEqual({ ...group, isReady: false, nextInMs: null });
    await wake(order('ready', 'a'));
    expect(await asked()).toEqual({ ...group, isReady: true, nextInMs: null });
    await claim('ready');
    const leased = await asked();
    expect(leased).toEqual({ ...group, isReady: false, nextInMs: expect.any(Number) });
    expect(leased!.nextInMs).toBeGreaterThan(LEASE_MS / 2);
    expect(await lanes.readiness([group], LEASE_MS / 2)).toEqual([{ ...group, isReady: false, nextInMs: null }]);
    await wake(order('ready', 'b'));
    // A ready lane does not hide the next due time.
    expect(await asked()).toEqual({ ...group, isReady: true, nextInMs: expect.any(Number) });
  });
});

describe('Lanes.finish', () => {
  it('saves the work and the next due time in one transaction', async () => {
    await wake(order('together', 'a'));
    const claimed = await claim('together');
    const failing = lanes.finish(claimed, ASLEEP, async (tx, held) => {
      await insertDone(tx, held);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await doneOn(claimed)).toBe(0);
    await lanes.finish(claimed, ASLEEP, insertDone);
    expect(await doneOn(claimed)).toBe(1);
    const asleepNow = { tenant: 'together', kind: 'order', isReady: false, nextInMs: null };
    expect(await lanes.readiness([asleepNow], 2 * LEASE_MS)).toEqual([asleepNow]);
  });

  it('cannot be done twice under one claim', async () => {
    await wake(order('twice', 'a'));
    const claimed = await claim('twice');
    await lanes.finish(claimed, ASLEEP);
    let called = false;
    await lanes.finish(claimed, ASLEEP, async () => void (called = true));
    expect(called).toBe(false);
  });

  it('finishes the lanes that are held and omits those that were lost', async () => {
    await wake(order('partly', 'a'), order('partly', 'b'));
    const claimed = await lanes.claim({ ...order('partly', ''), limit: 2, leaseMs: -1 });
    const [taken] = await claim('partly', 1);
    let held: readonly ClaimedLane[] = [];
    await lanes.finish(claimed, ASLEEP, async (_, stillHeld) => void (held = stillHeld));
    expect(held.map(({ id }) => id)).toEqual(claimed.map(({ id }) => id).filter((id) => id !== taken?.id));
    expect(await lanes.renew([taken!], LEASE_MS)).toHaveLength(1);
  });

  it('names the lanes that were woken since their claim, and when each is due', async () => {
    await wake(order('told', 'a'), order('told', 'b'), order('told', 'c'));
    const claimed = await claim('told');
    const [a, b, c] = claimed;
    await wake(order('told', 'b'));
    let told: readonly ClaimedLane[] = [];
    await lanes.finish(
      claimed,
      (lane) => (lane === a ? null : 60_000),
      async (_tx, _held, woken) => void (told = [...woken]),
    );
    expect(told).toEqual([b]);
    expect(lanes.dueInMs(a!)).toBeNull();
    expect(lanes.dueInMs(b!)).toBeLessThanOrEqual(0);
    expect(lanes.dueInMs(c!)).toBeGreaterThan(30_000);
  });

  it('makes the lane due after the given time, by the database’s clock', async () => {
    await wake(order('later', 'a'));
    await lanes.finish(await claim('later'), () => 60_000);
    const [readiness] = await lanes.readiness([{ tenant: 'later', kind: 'order' }], 2 * LEASE_MS);
    expect(readiness!.nextInMs).toBeGreaterThan(0);
    expect(readiness!.nextInMs).toBeLessThanOrEqual(60_000);
  });

  it('resets the count of failures', async () => {
    await wake(order('healed', 'a'));
    await lanes.postpone(await claim('healed'), () => 0);
    await lanes.finish(await claim('healed'), ASLEEP);
    await wake(order('healed', 'a'));
    expect((await claim('healed'))[0]?.failures).toBe(0);
  });

  it('saves two steps once each, although they wake each other’s lanes and deadlock', async () => {
    await wake(order('mutual', 'a'), order('mutual', 'b'));
    const [a, b] = (await claim('mutual')).toSorted((one, other) => (one.identity < other.identity ? -1 : 1));
    const bothInside = Promise.withResolvers<void>();
    let inside = 0;
    const finishAndWake = (own: ClaimedLane, other: ClaimedLane): Promise<void> =>
      lanes.finish([own], ASLEEP, async (tx, held) => {
        inside += 1;
        if (inside === 2) bothInside.resolve();
        await bothInside.promise;
        await insertDone(tx, held);
        await lanes.wake(tx, [other]);
      });
    await Promise.all([finishAndWake(a!, b!), finishAndWake(b!, a!)]);
    // PostgreSQL aborted one of the first two transactions; how often they deadlock again is chance.
    expect(inside).toBeGreaterThan(2);
    expect([await doneOn([a!]), await doneOn([b!])]).toEqual([1, 1]);
    // The transaction that finishes last wakes the other lane, whose step is over.
    expect(await claim('mutual')).not.toEqual([]);
  });
});

describe('Lanes.checkpoint', () => {
  it('saves work in the middle of a step and keeps the lease', async () => {
    await wake(order('middle', 'a'));
    const claimed = await claim('middle');
    const held = await lanes.checkpoint(claimed, async (tx, stillHeld) => {
      await insertDone(tx, stillHeld);
      return stillHeld;
    });
    expect(held).toEqual(claimed);
    expect(await doneOn(claimed)).toBe(1);
    expect(await claim('middle')).toEqual([]);
  });

  it('passes on no lane whose lease was lost', async () => {
    await wake(order('no-middle', 'a'));
    const claimed = await lanes.claim({ ...order('no-middle', 'a'), limit: 1, leaseMs: -1 });
    await claim('no-middle');
    expect(await lanes.checkpoint(claimed, async (_, held) => held)).toEqual([]);
  });
});

describe('Lanes:', () => {
  it('postpone counts a failure and delays each lane by its given time, even if it was woken', async () => {
    await wake(order('postponed', 'a'), order('postponed', 'b'));
    const claimed = await claim('postponed');
    await wake(order('postponed', 'a'));
    await lanes.postpone(claimed, ({ identity }) => (identity === 'a' ? 60_000 : 0));
    expect(await claim('postponed')).toMatchObject([{ identity: 'b', failures: 1 }]);
  });

  it('handBack makes lanes due at once without a failure', async () => {
    await wake(order('returned', 'a'));
    await lanes.handBack(await claim('returned'));
    expect(await claim('returned')).toMatchObject([{ identity: 'a', failures: 0 }]);
  });
});

describe('Lanes, as operators read them:', () => {
  it('a lane is shown as stored, and nothing if it was never woken', async () => {
    await wake(order('shown', 'a'));
    expect(await lanes.find(order('shown', 'a'))).toMatchObject({ dueAt: expect.any(String), leaseUntil: null });
    await lanes.postpone(await claim('shown'), () => 60_000);
    expect(await lanes.find(order('shown', 'a'))).toMatchObject({ failures: 1, leaseUntil: null });
    expect(await lanes.find(order('shown', 'b'))).toBeNull();
  });

  it('existing lanes are found by key and by id, and none is created', async () => {
    const ids = await wake(order('there', 'a'));
    const asked = [order('there', 'a'), order('there', 'a'), order('there', 'b')];
    expect(await lanes.existing(test.database, asked)).toEqual([order('there', 'a')]);
    expect(await lanes.idsOf(test.database, asked)).toEqual(ids);
    const keys = await lanes.keysOf(test.database, [...ids.values(), '999999999']);
    expect([...keys]).toEqual([[ids.get('there/order/a'), order('there', 'a')]]);
    expect(await lanes.find(order('there', 'b'))).toBeNull();
  });
});

async function insertDone(tx: Tx, held: readonly ClaimedLane[]): Promise<void> {
  await tx.query('INSERT INTO work_done (lane_id) SELECT unnest($1::bigint[])', [held.map(({ id }) => id)]);
}

async function doneOn(claimed: readonly ClaimedLane[]): Promise<number> {
  const text = 'SELECT 1 FROM work_done WHERE lane_id = ANY ($1::bigint[])';
  const { rowCount } = await test.database.query(text, [claimed.map(({ id }) => id)]);
  return rowCount ?? 0;
}
