import { strict as assert } from 'node:assert';

import type { Database } from '@gondola/service-kit/database/database';

import { ASLEEP, type ClaimedLane, type LaneKey, laneText, type Lanes } from '../lanes/lanes.ts';

/**
 * Invariants of lanes, as functions over a system under test: the specs run them on the real system, and on systems
 * broken on purpose, which they must reject.
 */
export interface LaneSystem {
  readonly database: Database;
  readonly lanes: Lanes;
}

/** Longer than any test; the other is shorter than any test. */
const LONG_LEASE_MS = 600_000;
const TINY_LEASE_MS = 1;

/** Each run has its own tenant, so that runs in one schema do not interfere. */
let runs = 0;
function freshTenant(): string {
  runs += 1;
  return `t${runs}`;
}

export function wakeNow({ database, lanes }: LaneSystem, ...keys: LaneKey[]): Promise<Map<string, string>> {
  return database.transaction((tx) => lanes.wake(tx, keys));
}

/** A lease of 1 ms has run out at the next millisecond of the database's clock. */
async function untilReady({ lanes }: LaneSystem, key: LaneKey): Promise<void> {
  for (;;) {
    const [readiness] = await lanes.readiness([key], 0);
    if (readiness?.isReady === true) return;
  }
}

async function claimOne(system: LaneSystem, key: LaneKey, leaseMs: number): Promise<ClaimedLane> {
  const [lane] = await system.lanes.claim({ ...key, limit: 1, leaseMs });
  assert(lane !== undefined, 'A due lane can be claimed');
  return lane;
}

/** A worker whose lane was claimed by another worker saves nothing, and the other worker's lease stays. */
export async function aZombieChangesNothing(system: LaneSystem): Promise<void> {
  const { database, lanes } = system;
  const key: LaneKey = { tenant: freshTenant(), kind: 'order', identity: '1' };
  await wakeNow(system, key);
  const zombie = await claimOne(system, key, TINY_LEASE_MS);
  await untilReady(system, key);
  const successor = await claimOne(system, key, LONG_LEASE_MS);
  assert.notEqual(successor.epoch, zombie.epoch);

  await lanes.finish([zombie], ASLEEP, async (tx, held) => {
    await tx.query('INSERT INTO work_done (lane_id, by) SELECT unnest($1::bigint[]), $2', [
      held.map(({ id }) => id),
      'zombie',
    ]);
  });
  await lanes.renew([zombie], LONG_LEASE_MS);
  await lanes.handBack([zombie]);
  await lanes.postpone([zombie], () => 0);

  const done = await database.query('SELECT by FROM work_done WHERE lane_id = $1', [zombie.id]);
  assert.equal(done.rowCount, 0, 'What a zombie did is not saved');
  assert.deepEqual(await lanes.claim({ ...key, limit: 1, leaseMs: LONG_LEASE_MS }), [], 'The lease still stands');
  assert.equal((await lanes.renew([successor], LONG_LEASE_MS)).length, 1, 'The successor still holds the lane');
}

/** A wake at any moment of a step leads to another step after it. */
export async function aWakeDuringAStepIsNotLost(system: LaneSystem): Promise<void> {
  const { lanes } = system;
  const key: LaneKey = { tenant: freshTenant(), kind: 'order', identity: '1' };
  await wakeNow(system, key);
  const lane = await claimOne(system, key, LONG_LEASE_MS);
  await wakeNow(system, key);
  await lanes.finish([lane], ASLEEP);
  await claimOne(system, key, LONG_LEASE_MS);
}

/** When many workers claim at once, each lane goes to one of them at most. */
export async function claimsAtOnceShareNoLane(system: LaneSystem, claimants: number): Promise<void> {
  const tenant = freshTenant();
  const keys = Array.from({ length: 3 }, (_, index) => ({ tenant, kind: 'order', identity: String(index) }));
  await wakeNow(system, ...keys);
  const wanted = { tenant, kind: 'order', limit: 2, leaseMs: LONG_LEASE_MS };
  const claims = await Promise.all(Array.from({ length: claimants }, () => system.lanes.claim(wanted)));
  const claimed = claims.flat().map(laneText);
  assert.equal(claimed.length, new Set(claimed).size, 'A lane is with two claimants');
}

/**
 * With many concurrent wakes and workers, no lane is with two workers at a time, and in the end every counted wake
 * is handled. Returns the number of steps.
 */
export async function wakesAreWorkedOffByOneAtATime(
  systems: readonly [LaneSystem, ...LaneSystem[]],
  size: { lanes: number; wakes: number; workers: number },
): Promise<number> {
  const [system] = systems;
  const tenant = freshTenant();
  const keyOf = (index: number): LaneKey => ({ tenant, kind: 'order', identity: String(index % size.lanes) });
  const busy = new Set<string>();
  let wakersDone = false;
  let steps = 0;

  const waker = async (offset: number): Promise<void> => {
    for (let index = 0; index < size.wakes; index += 1) {
      // Neighbours in opposite orders: locking them unsorted leads to a deadlock.
      const keys = [keyOf(offset + index), keyOf(offset + index + 1)];
      const ordered = offset % 2 === 0 ? keys : keys.toReversed();
      await system.database.transaction(async (tx) => {
        const ids = await system.lanes.wake(tx, ordered);
        await tx.query('INSERT INTO work_open (lane_id) SELECT unnest($1::bigint[])', [[...ids.values()]]);
      });
    }
  };
  const worker = async ({ lanes }: LaneSystem): Promise<void> => {
    for (;;) {
      const mayEnd = wakersDone;
      const claimed = await lanes.claim({ tenant, kind: 'order', limit: 3, leaseMs: LONG_LEASE_MS });
      if (claimed.length === 0 && mayEnd) return;
      for (const lane of claimed) {
        assert(!busy.has(laneText(lane)), `Lane ${laneText(lane)} is with two workers`);
        busy.add(laneText(lane));
      }
      steps += claimed.length;
      const seen = await system.database.query<{ id: string }>(
        'SELECT id FROM work_open WHERE lane_id = ANY ($1::bigint[])',
        [claimed.map(({ id }) => id)],
      );
      await lanes.finish(claimed, ASLEEP, async (tx, held) => {
        await tx.query('DELETE FROM work_open WHERE id = ANY ($1::bigint[])', [seen.rows.map(({ id }) => id)]);
        for (const lane of held) busy.delete(laneText(lane));
      });
    }
  };

  const wakers = Promise.all(Array.from({ length: 4 }, (_, index) => waker(index))).finally(() => (wakersDone = true));
  await Promise.all([
    wakers,
    ...Array.from({ length: size.workers }, (_, index) => worker(systems[index % systems.length] ?? system)),
  ]);
  const left = await system.database.query<{ left: string }>(
    'SELECT count(*) AS left FROM work_open JOIN lanes ON lanes.id = lane_id WHERE tenant = $1',
    [tenant],
  );
  assert.equal(left.rows[0]?.left, '0', 'Every wake was worked off');
  return steps;
}
