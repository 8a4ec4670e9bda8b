import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import { Lanes } from './lanes.ts';
import { aWakeDuringAStepIsNotLost, aZombieChangesNothing, type LaneSystem } from '../testing/lane-invariants.ts';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';

let test: TestDatabase;
let lanes: Lanes;

beforeAll(async () => {
  test = await openTestDatabase('lanes_invariants');
  await createWorkTables(test.database);
  lanes = new Lanes(test.database);
});

afterAll(async () => {
  await test.close();
});

function system(): LaneSystem {
  return { database: test.database, lanes };
}

describe('the invariants of lanes:', () => {
  it('a worker whose lease ended changes nothing', async () => {
    await expect(aZombieChangesNothing(system())).resolves.toBeUndefined();
  });

  it('the test detects such a change if finish does not check the epoch', async () => {
    const broken = new LanesWithoutEpochCheck(test);
    await expect(aZombieChangesNothing({ ...system(), lanes: broken })).rejects.toThrow(
      'What a zombie did is not saved',
    );
  });

  it('a wake during a step is not lost', async () => {
    await expect(aWakeDuringAStepIsNotLost(system())).resolves.toBeUndefined();
  });

  it('the test detects a lost wake if finish overwrites the due time', async () => {
    const broken = new LanesThatForgetWakes(test);
    await expect(aWakeDuringAStepIsNotLost({ ...system(), lanes: broken })).rejects.toThrow(
      'A due lane can be claimed',
    );
  });
});

type Finish = Lanes['finish'];

/** Broken on purpose: a worker that once claimed a lane may always finish it. */
class LanesWithoutEpochCheck extends Lanes {
  constructor(private readonly test: TestDatabase) {
    super(test.database);
  }

  override async finish(...[claimed, , work]: Parameters<Finish>): Promise<void> {
    await this.test.database.transaction(async (tx) => {
      if (typeof work === 'function') await work(tx, [...claimed], new Set());
      await tx.query('UPDATE lanes SET lease_until = NULL WHERE id = ANY ($1::bigint[])', [
        claimed.map(({ id }) => id),
      ]);
    });
  }
}

/** Broken on purpose: the step alone decides when the lane is due. */
class LanesThatForgetWakes extends Lanes {
  constructor(private readonly test: TestDatabase) {
    super(test.database);
  }

  override async finish(...[claimed, ...step]: Parameters<Finish>): Promise<void> {
    await super.finish(claimed, ...step);
    await this.test.database.query('UPDATE lanes SET due_at = NULL WHERE id = ANY ($1::bigint[])', [
      claimed.map(({ id }) => id),
    ]);
  }
}
