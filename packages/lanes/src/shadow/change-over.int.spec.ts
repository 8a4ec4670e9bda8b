import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import type { Database } from '@gondola/service-kit/database/database';
import { waitFor } from '@gondola/local-stack/wait-for';
import { POINT_LEAD_MS } from '@gondola/shared/shadow/shadow-points';

import { Lanes } from '../lanes/lanes.ts';
import { LaneWorkers } from '../lanes/lane-workers.ts';
import { Outbox } from '../outbox/outbox.ts';
import { insertCommands, ORDERS } from '../testing/command-life.ts';
import { EndLeftOut } from './end-left-out.ts';
import { eventOf } from '../testing/relay-invariants.ts';
import { wakeNow } from '../testing/lane-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { ShadowModes } from '../modes/shadow-modes.ts';

const TENANTS = [
  { id: 'acme', mode: 'shadow' },
  { id: 'bairro', mode: 'live' },
] as const;
const FAR_MS = 3_600_000;

const lane = (identity: string, tenant = 'acme') => ({ tenant, kind: 'order', identity });

let test: TestDatabase;
let now: number;

beforeAll(async () => {
  test = await openTestDatabase('shadow_modes');
});

afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('DELETE FROM shadow_points; DELETE FROM outbox; DELETE FROM commands; DELETE FROM lanes');
  now = Date.now();
});

/** A process with a clock that the test sets, and the number of its questions. */
function processOf(
  database: Database = test.database,
  tenants: ConstructorParameters<typeof ShadowModes>[2] = TENANTS,
): { modes: ShadowModes; asked: () => number } {
  let asked = 0;
  const counting: Pick<Database, 'query' | 'transaction'> = {
    query: (...of) => {
      asked += 1;
      return database.query(...of);
    },
    transaction: (work) => database.transaction(work),
  };
  return { modes: new ShadowModes(counting, { now: () => now }, tenants, quietLogger()), asked: () => asked };
}

async function topicsOf(modes: ShadowModes, ...cameAt: (number | undefined)[]): Promise<string[]> {
  const outbox = new Outbox('order-command-handler', modes);
  const records = cameAt.map((at, index) => ({ ...eventOf('1', index), ...(at !== undefined && { cameAt: at }) }));
  await test.database.transaction((tx) => outbox.append(tx, records));
  const { rows } = await test.database.query<{ topic: string }>('SELECT topic FROM outbox ORDER BY seq');
  return rows.map(({ topic }) => topic);
}

describe('the mode of a tenant that the tenants file has in shadow', () => {
  it('is by the time of what came, in every process, and survives a restart', async () => {
    const from = now + FAR_MS;
    await processOf().modes.set('acme', { mode: 'live', from }, 'Operador 01');
    for (const { modes } of [processOf(), processOf(await test.replica())]) {
      await modes.ready();
      expect([from - 1, from, null].map((at) => modes.of('acme', at))).toEqual(['shadow', 'live', 'shadow']);
      expect(['bairro', undefined].map((tenant) => modes.of(tenant, from - 1))).toEqual(['live', 'live']);
    }
    const { modes } = processOf();
    expect(await modes.list()).toEqual([
      { tenant: 'acme', mode: 'shadow', heldSince: null, points: [{ mode: 'live', from }] },
    ]);
  });

  it('addresses each record by the time of what it tells, and others by now', async () => {
    const from = now + FAR_MS;
    const { modes } = processOf();
    await modes.set('acme', { mode: 'live', from }, null);
    const [twin, live] = ['shadow.erp.orders.events.v1', 'erp.orders.events.v1'];
    expect(await topicsOf(modes, from - 1, from, undefined)).toEqual([twin, live, twin]);
    now = from;
    await test.database.query('DELETE FROM outbox');
    expect(await topicsOf(modes, from - 1, from, undefined)).toEqual([twin, live, live]);
  });

  it('is asked for again before anything is decided by what may be out of date, also after a clock was set back', async () => {
    const { modes, asked } = processOf();
    await modes.ready();
    await modes.ready();
    expect(asked()).toBe(1);
    await processOf().modes.set('acme', { mode: 'live', from: now + POINT_LEAD_MS + 30_000 }, null);
    now += POINT_LEAD_MS / 2 + 1;
    await modes.ready();
    expect([asked(), modes.of('acme', now + FAR_MS)]).toEqual([2, 'live']);
    now -= FAR_MS;
    await modes.ready();
    await modes.ready();
    expect(asked()).toBe(3);
    const without = processOf(test.database, [TENANTS[1]]);
    await without.modes.ready();
    expect([await without.modes.mayWork('bairro'), without.asked()]).toEqual([true, 0]);
  });

  it('refuses a point that a process may have acted before, and one that changes nothing', async () => {
    const { modes } = processOf();
    await expect(modes.set('acme', { mode: 'live', from: now }, null)).rejects.toThrow('a minute from now');
    await expect(modes.set('acme', { mode: 'shadow', from: now + FAR_MS }, null)).rejects.toThrow('in shadow by then');
    expect((await modes.list())[0]).toMatchObject({ points: [] });
  });
});

describe('what was left out, once its tenant is live', () => {
  it('is not waited for any more; all else keeps its deadline', async () => {
    const command = { topic: ORDERS, command: 'Ship' } as const;
    const [before, after] = [new Date(now - FAR_MS), new Date(now)];
    await insertCommands(test.database, [
      { ...command, lane: lane('1'), commandId: 'left out', producedAt: before },
      { ...command, lane: lane('1'), commandId: 'of the same order', producedAt: before, queue: 'other' },
      { ...command, lane: lane('2'), commandId: 'live', producedAt: after },
      { ...command, lane: lane('3'), commandId: 'not sent', producedAt: before },
      { ...command, lane: lane('4', 'bairro'), commandId: 'of another', producedAt: before },
    ]);
    await test.database.query(
      `UPDATE commands SET deadline_at = now() + interval '1 hour' WHERE command_id <> 'not sent'`,
    );
    await test.database.query('UPDATE lanes SET due_at = NULL');
    const { modes } = processOf();
    let wakes = 0;
    const workers = { wake: () => void (wakes += 1) };
    const end = new EndLeftOut(test.database, new Lanes(test.database), modes, workers, quietLogger());
    await end.run();
    await modes.hold('acme', null);
    await test.database.query(`UPDATE shadow_points SET held_since = now() - interval '2 hours'`);
    await modes.set('acme', { mode: 'live', from: now - FAR_MS / 2 }, null);
    await end.run();
    await end.run();
    const { rows } = await test.database.query<{ id: string; isOver: boolean; isDue: boolean }>(
      `SELECT command_id AS id, deadline_at <= now() AS "isOver", due_at IS NOT NULL AS "isDue"
       FROM commands JOIN lanes ON lanes.id = lane_id ORDER BY command_id COLLATE "C"`,
    );
    expect(rows.map(({ id, isOver, isDue }) => [id, isOver, isDue])).toEqual([
      ['left out', true, true],
      ['live', false, false],
      ['not sent', null, false],
      ['of another', false, false],
      ['of the same order', true, true],
    ]);
    expect(wakes).toBe(1);
  });
});

describe('a hold', () => {
  it('keeps the workers of the tenant from claiming in every process, and no other tenant’s', async () => {
    const lanes = new Lanes(test.database);
    const worked: string[] = [];
    const { modes } = processOf();
    await modes.hold('acme', null);
    const tenants = TENANTS.map(({ id }) => ({ id, platform: { concurrency: 1 } }));
    const workers = new LaneWorkers(lanes, tenants, { times: { leaseMs: 60_000 } }, quietLogger(), processOf().modes);
    workers.add({
      kind: 'order',
      batchSize: 1,
      step: async (claimed) => {
        worked.push(...claimed.map(({ tenant }) => tenant));
        await lanes.finish(claimed, () => null);
      },
    });
    await workers.start();
    await wakeNow({ database: test.database, lanes }, lane('1'), lane('1', 'bairro'));
    workers.wake();
    await waitFor(() => worked.length > 0, { describe: 'the other tenant' });
    await wakeNow({ database: test.database, lanes }, lane('2', 'bairro'));
    workers.wake();
    await waitFor(() => worked.length > 1, { describe: 'the other tenant again' });
    expect(worked).toEqual(['bairro', 'bairro']);
    await modes.release('acme', null);
    now += POINT_LEAD_MS;
    workers.wake();
    await waitFor(() => worked.length > 2, { describe: 'the tenant that was held' });
    await workers.stop();
  });

  it('allows a point that has passed, a minute behind its start, and ends with it', async () => {
    const { modes } = processOf();
    await modes.hold('acme', null);
    await modes.hold('acme', null);
    await test.database.query(`UPDATE shadow_points SET held_since = now() - interval '1 hour'`);
    const early = now - FAR_MS + POINT_LEAD_MS / 2;
    await expect(modes.set('acme', { mode: 'live', from: early }, null)).rejects.toThrow('the start of the hold');
    expect(await modes.mayWork('acme')).toBe(false);
    const from = now - 1_000;
    expect(await modes.set('acme', { mode: 'live', from }, null)).toEqual({
      tenant: 'acme',
      mode: 'live',
      heldSince: null,
      points: [{ mode: 'live', from }],
    });
    expect(await modes.mayWork('acme')).toBe(true);
    expect(await modes.set('acme', { mode: 'live', from }, null)).toMatchObject({ points: [{ from }] });
  });
});
