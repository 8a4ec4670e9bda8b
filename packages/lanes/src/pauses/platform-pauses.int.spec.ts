import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';

import type { Pause } from '@gondola/platform-client/tenant-passage';
import type { Database } from '@gondola/service-kit/database/database';

import { Lanes } from '../lanes/lanes.ts';
import { wakeNow } from '../testing/lane-invariants.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { PlatformPauses } from './platform-pauses.ts';

const DAY_MS = 86_400_000;
const LEASE_MS = 60_000;

/** A replica with breakers of its own, in memory. */
class Replica {
  open: (Pause & { readonly tenant: string })[] = [];
  statements = 0;
  wakes = 0;
  readonly pauses: PlatformPauses;

  constructor(database: Database) {
    const counting = Object.create(database) as Database;
    counting.query = (...asked) => {
      this.statements += 1;
      return database.query(...asked);
    };
    const clients = {
      pauses: () => this.open,
      endPause: (tenant: string, route: string | null) => {
        this.open = this.open.filter((pause) => pause.tenant !== tenant || pause.route !== route);
      },
    };
    const workers = { wake: () => void (this.wakes += 1) };
    this.pauses = new PlatformPauses(counting, clients, new Lanes(database), workers, quietLogger());
  }

  pause(tenant: string, route: string | null, forMs = DAY_MS): void {
    this.open.push({ tenant, route, cause: 'throttled', since: Date.now(), until: Date.now() + forMs });
  }
}

let test: TestDatabase;
let one: Replica;
let two: Replica;

beforeAll(async () => {
  test = await openTestDatabase('platform-pauses');
});

afterAll(() => test.close());

beforeEach(async () => {
  await test.database.query('DELETE FROM platform_pauses; DELETE FROM lanes');
  one = new Replica(test.database);
  two = new Replica(test.database);
});

const key = (identity: string, tenant = 'acme') => ({ tenant, kind: 'order', identity });

const shown = async (replica: Replica, tenant: string | null = null) =>
  (await replica.pauses.list(tenant)).map((pause) => `${pause.tenant} ${pause.route}`).toSorted();

describe('the pauses of the platform', () => {
  it('are shown at each replica, with the replica that has them, and end with theirs', async () => {
    one.pause('acme', null);
    one.pause('bairro', 'getProduct');
    two.pause('acme', null);
    for (const { pauses } of [one, two]) await pauses.share();
    expect(await shown(one)).toEqual(['acme null', 'acme null', 'bairro getProduct']);
    expect(await shown(two, 'bairro')).toEqual(['bairro getProduct']);
    expect(new Set((await two.pauses.list('acme')).map(({ replica }) => replica)).size).toBe(2);
    one.open = [];
    await one.pauses.share();
    expect(await shown(two)).toEqual(['acme null']);
    await test.database.query(`UPDATE platform_pauses SET seen_at = now() - interval '1 minute'`);
    expect(await shown(one)).toEqual([]);
  });

  it('end at all replicas, those of a route or all of a tenant, and nobody else’s', async () => {
    for (const replica of [one, two]) {
      replica.pause('acme', null);
      replica.pause('acme', 'getProduct');
      replica.pause('bairro', null);
      await replica.pauses.share();
    }
    expect(await one.pauses.end('acme', 'getProduct')).toHaveLength(2);
    expect(await one.pauses.end('acme', 'putOrder')).toEqual([]);
    await two.pauses.share();
    expect(await shown(one)).toEqual(['acme null', 'acme null', 'bairro null', 'bairro null']);
    expect(await two.pauses.end('acme', null)).toHaveLength(2);
    await one.pauses.share();
    expect([one, two].map(({ open }) => open.map(({ tenant }) => tenant))).toEqual([['bairro'], ['bairro']]);
    // A pause that the platform asks for anew is one like the first.
    two.pause('acme', null);
    for (const replica of [two, one, two]) await replica.pauses.share();
    expect(await shown(one, 'acme')).toEqual(['acme null']);
  });

  it('wake all that sleeps of the tenant, however long, also what is under way, and nobody else’s', async () => {
    const lanes = new Lanes(test.database);
    const claim = (tenant = 'acme') => lanes.claim({ tenant, kind: 'order', limit: 9, leaseMs: LEASE_MS });
    await wakeNow({ database: test.database, lanes }, key('a'), key('far'), key('b', 'bairro'));
    const inMs = { a: 1.4 * DAY_MS, far: 3 * DAY_MS, b: DAY_MS } as Record<string, number>;
    await lanes.finish([...(await claim()), ...(await claim('bairro'))], ({ identity }) => inMs[identity]!);
    await wakeNow({ database: test.database, lanes }, key('leased'));
    const leased = await claim();
    one.pause('acme', null);
    await one.pauses.end('acme', null);
    await lanes.finish(leased, () => DAY_MS);
    const { rows } = await test.database.query<{ identity: string }>(
      `SELECT identity FROM lanes WHERE due_at <= now() + interval '5 seconds' ORDER BY identity`,
    );
    expect([rows.map(({ identity }) => identity), one.wakes]).toEqual([['a', 'far', 'leased'], 1]);
  });

  it('ask the database nothing while there are none', async () => {
    await one.pauses.share();
    one.pause('acme', null, 0);
    await one.pauses.share();
    one.open = [];
    await one.pauses.share();
    const before = one.statements;
    await one.pauses.share();
    expect([before > 0, one.statements - before]).toEqual([true, 0]);
  });
});
