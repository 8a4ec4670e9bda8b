import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { waitFor } from '@gondola/local-stack/wait-for';

import { LanePoll } from './lane-poll.ts';
import { LaneWorker } from './lane-worker.ts';
import { ASLEEP, type ClaimedLane, Lanes } from './lanes.ts';
import { type Child, startChild } from '@gondola/kafka/testing/child-process';
import { wakeNow } from '../testing/lane-invariants.ts';
import type { LaneWorkerProcessOptions } from '../testing/lane-worker.main.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';
import { openTestDatabase, type TestDatabase } from '../testing/test-database.ts';
import { createWorkTables } from '../testing/work-tables.ts';

let test: TestDatabase;
let lanes: Lanes;
let child: Child;
let worker: LaneWorker;

const TENANT = 'killed';
const LEASE_MS = 900;

beforeAll(async () => {
  test = await openTestDatabase('lane_worker_killed');
  await createWorkTables(test.database);
  lanes = new Lanes(test.database);
});

afterAll(async () => {
  await worker?.stop();
  await child?.clear();
  await test.close();
});

describe('a worker that is killed in a step', () => {
  it('leaves lanes that continue elsewhere after their lease, and finished work is not repeated', async () => {
    const keys = ['1', '2', '3'].map((identity) => ({ tenant: TENANT, kind: 'order', identity }));
    await wakeNow({ database: test.database, lanes }, ...keys);
    const options: LaneWorkerProcessOptions = {
      url: test.url,
      schema: test.schema,
      tenant: TENANT,
      leaseMs: LEASE_MS,
    };
    child = await startChild(new URL('../testing/lane-worker.main.ts', import.meta.url), options);
    await waitFor(async () => (await child.output()).includes('In the middle of the step'), {
      describe: 'the step to be in its middle',
    });
    const leases = await readyTimes();
    await waitFor(async () => (await readyTimes()).every((at, index) => at > leases[index]!), {
      describe: 'renewed leases',
    });
    await child.kill();

    const steps: ClaimedLane[][] = [];
    worker = new LaneWorker({
      name: 'successor',
      lanes,
      poll: new LanePoll({ lanes, pollMs: 20, logger: quietLogger() }),
      tenant: TENANT,
      kind: 'order',
      batchSize: 10,
      concurrency: 1,
      leaseMs: 60_000,
      logger: quietLogger(),
      step: async (claimed) => {
        steps.push([...claimed]);
        await lanes.finish(claimed, ASLEEP, async (tx, held) => {
          const ids = held.map(({ id }) => id);
          await tx.query('INSERT INTO work_done (lane_id, by) SELECT unnest($1::bigint[]), $2', [ids, 'successor']);
        });
      },
    });
    await worker.start();
    const done = await waitFor(
      async () => {
        const all = await doneWork();
        return all.length >= 3 && all;
      },
      { describe: 'all lanes to be worked off' },
    );
    expect(done).toEqual([
      { lanes: '1', by: 'killed' },
      { lanes: '1', by: 'successor' },
      { lanes: '1', by: 'successor' },
    ]);
    expect(steps.flat().map(({ failures }) => failures)).toEqual([1, 1]);
  });
});

async function readyTimes(): Promise<number[]> {
  const text = `SELECT lease_until FROM lanes WHERE lease_until IS NOT NULL ORDER BY id`;
  const { rows } = await test.database.query<{ lease_until: Date }>(text);
  return rows.map((row) => row.lease_until.getTime());
}

/** One row per lane, however often its work was done. */
async function doneWork(): Promise<Array<{ lanes: string; by: string }>> {
  const text = `SELECT count(*) AS lanes, string_agg(by, ' ') AS by FROM work_done GROUP BY lane_id ORDER BY by`;
  return (await test.database.query<{ lanes: string; by: string }>(text)).rows;
}
