import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { CLAIM_LANES, LOCK_HELD, READINESS } from './lanes.sql.ts';
import { type ClaimedLane, Lanes } from './lanes.ts';
import { OPEN_HEADS } from '../commands/commands.sql.ts';
import { claimsAtOnceShareNoLane, type LaneSystem, wakesAreWorkedOffByOneAtATime } from '../testing/lane-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';

let test: TestDatabase;
let systems: [LaneSystem, LaneSystem];

beforeAll(async () => {
  test = await openTestDatabase('lanes_concurrent');
  await createWorkTables(test.database);
  const replica = await test.replica();
  systems = [
    { database: test.database, lanes: new Lanes(test.database) },
    { database: replica, lanes: new Lanes(replica) },
  ];
});

afterAll(async () => {
  await test.close();
});

const CLAIMANTS = 6;
const SIZE = { lanes: 5, wakes: 60, workers: 6 };

describe('lanes with many wakers and workers of two replicas:', () => {
  it('no lane is with two workers, no wake is lost, and nothing deadlocks', async () => {
    expect(await wakesAreWorkedOffByOneAtATime(systems, SIZE)).toBeGreaterThanOrEqual(SIZE.lanes);
  });

  it('simultaneous claims share no lane', async () => {
    for (const system of systems) {
      await expect(claimsAtOnceShareNoLane(system, CLAIMANTS)).resolves.toBeUndefined();
    }
  });

  it('the test detects a lane with two claimants if a claim reads before it leases', async () => {
    const [{ database }] = systems;
    const run = claimsAtOnceShareNoLane({ database, lanes: new LanesThatLookFirst(database) }, CLAIMANTS);
    await expect(run).rejects.toThrow('A lane is with two claimants');
  });
});

describe('A hot lane with 20,000 open commands among 5,000 lanes', () => {
  beforeAll(async () => {
    const { database } = test;
    await database.query(
      `INSERT INTO lanes (tenant, kind, identity, due_at) SELECT 'hot', 'order', i::text, now() FROM generate_series(1, 5000) AS i`,
    );
    await database.query(
      `INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash)
       SELECT (SELECT id FROM lanes WHERE tenant = 'hot' AND identity = '1'), 'hot', 'erp.orders.commands.v1', 'c' || i, 'MarkReady', ''
       FROM generate_series(1, 20000) AS i`,
    );
  });

  it('is claimed along the index of ready lanes, before and after statistics are taken', async () => {
    const { database } = test;
    const expectIndex = async (...limits: number[]): Promise<void> => {
      for (const limit of limits) {
        const plan = await planOf(CLAIM_LANES, ['hot', 'order', limit, 60_000]);
        expect(plan).toMatch(/Index Scan using lanes_ready/);
        expect(plan).not.toMatch(/Seq Scan|Sort Key: (?!due)/);
      }
    };
    await expectIndex(10);
    await database.query('ANALYZE lanes');
    await expectIndex(10, 100, 1_800);
    const readiness = await planOf(READINESS, [['hot', 'cold'], ['order', 'order'], 1_000]);
    expect(readiness).toMatch(/Index (Only )?Scan using lanes_ready/);
    expect(readiness).not.toMatch(/Seq Scan|Sort/);
  });

  it('is claimed along that index although statistics know nothing of its kind, and other indices are smaller', async () => {
    const { database } = test;
    await database.query('ALTER TABLE lanes SET (autovacuum_enabled = false)');
    await database.query('ANALYZE lanes');
    await database.query(
      `INSERT INTO lanes (tenant, kind, identity, due_at) SELECT 'hot', 'new', i::text, now() FROM generate_series(1, 5000) AS i`,
    );
    // Leaves entries in the index of ready lanes, as claims do until VACUUM removes them.
    for (let round = 0; round < 24; round += 1) {
      await database.query(`UPDATE lanes SET due_at = now() + interval '1 microsecond' * id WHERE kind = 'new'`);
    }
    await database.query('REINDEX INDEX lanes_tenant_kind_identity_key');
    expect(await planOf(CLAIM_LANES, ['hot', 'new', 100, 60_000])).toMatch(/Index Scan using lanes_ready/);
    const readiness = await planOf(READINESS, [['hot'], ['new'], 1_000]);
    expect(readiness).not.toMatch(/lanes_tenant_kind_identity_key/);
  });

  it('is held by its id, although statistics know of no lease', async () => {
    const { database } = test;
    await database.query('ANALYZE lanes');
    await database.query(`UPDATE lanes SET lease_until = now() + interval '1 hour', due_at = NULL WHERE kind = 'new'`);
    const { rows } = await database.query<{ id: string }>(`SELECT id FROM lanes WHERE kind = 'new' LIMIT 500`);
    const ids = rows.map(({ id }) => id);
    const plan = await planOf(LOCK_HELD, [ids, ids.map(() => '0')]);
    expect(plan).toMatch(/Index Scan using lanes_pkey/);
    expect(plan).not.toMatch(/Seq Scan/);
  });

  it('shows its oldest command along the index of open ones, without a sort', async () => {
    await test.database.query('ANALYZE commands');
    const { rows } = await test.database.query<{ id: string }>(`SELECT id FROM lanes WHERE tenant = 'hot' LIMIT 10`);
    const plan = await planOf(OPEN_HEADS, [rows.map(({ id }) => id)]);
    expect(plan).toMatch(/Index Scan using commands_unfinished_by_queue/);
    expect(plan).not.toMatch(/Seq Scan|Sort Key: (?!claimed)/);
  });

  it('shows it along that index although statistics know of no open command, and another index is smaller', async () => {
    const { database } = test;
    await database.query('ALTER TABLE commands SET (autovacuum_enabled = false)');
    await database.query(
      `UPDATE commands SET state = 'done', outcome = 'applied', result_id = 'r', finished_at = now() WHERE tenant = 'hot'`,
    );
    await database.query('ANALYZE commands');
    await database.query('REINDEX INDEX commands_oldest_open');
    await database.query(
      `INSERT INTO commands (lane_id, tenant, topic, command_id, command, content_hash)
       SELECT id, 'hot', 'erp.orders.commands.v1', 'new' || id, 'MarkReady', '' FROM lanes WHERE tenant = 'hot' ORDER BY id LIMIT 100`,
    );
    const { rows } = await database.query<{ id: string }>(`SELECT id FROM lanes WHERE tenant = 'hot' LIMIT 10`);
    const plan = await planOf(OPEN_HEADS, [rows.map(({ id }) => id)]);
    expect(plan).toMatch(/Index Scan using commands_unfinished_by_queue/);
    expect(plan).not.toMatch(/commands_o|Seq Scan|Sort/);
  });
});

async function planOf(statement: string, values: unknown[]): Promise<string> {
  const { rows } = await test.database.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`, values);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

/**
 * Broken on purpose: reads the lanes before it leases them, so another claim fits in between; here all claims read
 * before the first one leases.
 */
class LanesThatLookFirst extends Lanes {
  readonly #database: LaneSystem['database'];
  readonly #allHaveLooked = Promise.withResolvers<void>();
  #looked = 0;

  constructor(database: LaneSystem['database']) {
    super(database);
    this.#database = database;
  }

  override async claim({ tenant, kind, limit, leaseMs }: Parameters<Lanes['claim']>[0]): Promise<ClaimedLane[]> {
    const seen = await this.#database.query<ClaimedLane>(
      'SELECT * FROM lanes WHERE tenant = $1 AND kind = $2 AND ready_at <= now() ORDER BY ready_at LIMIT $3',
      [tenant, kind, limit],
    );
    this.#looked += 1;
    if (this.#looked === CLAIMANTS) this.#allHaveLooked.resolve();
    await this.#allHaveLooked.promise;
    // Locked in one order: the broken part is the read, and a deadlock would be a different fault.
    await this.#database.query(
      `WITH seen AS MATERIALIZED (SELECT id FROM lanes WHERE id = ANY ($1::bigint[]) ORDER BY id FOR NO KEY UPDATE)
       UPDATE lanes SET due_at = NULL, lease_until = clock_timestamp() + $2 * interval '1 millisecond'
       FROM seen WHERE lanes.id = seen.id`,
      [seen.rows.map(({ id }) => id), leaseMs],
    );
    return seen.rows;
  }
}
