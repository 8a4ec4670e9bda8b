import { createLogger } from '@gondola/service-kit/logging/logger';

import { LanePoll } from '../lanes/lane-poll.ts';
import { LaneWorker } from '../lanes/lane-worker.ts';
import { ASLEEP, Lanes } from '../lanes/lanes.ts';
import { connectTestDatabase } from './test-database.ts';

export interface LaneWorkerProcessOptions {
  readonly url: string;
  readonly schema: string;
  readonly tenant: string;
  readonly leaseMs: number;
}

/** A worker in a separate process, whose step finishes its first lane and never ends for the others. */
await run(JSON.parse(process.argv[2] ?? '') as LaneWorkerProcessOptions);

async function run({ url, schema, tenant, leaseMs }: LaneWorkerProcessOptions): Promise<void> {
  const logger = createLogger({ app: 'worker', level: 'info' });
  const database = await connectTestDatabase(url, schema);
  const lanes = new Lanes(database);
  const worker = new LaneWorker({
    name: 'worker',
    lanes,
    poll: new LanePoll({ lanes, logger }),
    tenant,
    kind: 'order',
    batchSize: 10,
    concurrency: 1,
    leaseMs,
    logger,
    step: async ([first, ...others]) => {
      await lanes.finish([first!], ASLEEP, async (tx) => {
        await tx.query('INSERT INTO work_done (lane_id, by) VALUES ($1, $2)', [first!.id, 'killed']);
      });
      await lanes.checkpoint(others, async (tx) => {
        await tx.query('INSERT INTO work_open (lane_id) SELECT unnest($1::bigint[])', [others.map(({ id }) => id)]);
      });
      logger.info('In the middle of the step');
      await new Promise(() => {});
    },
  });
  await worker.start();
}
