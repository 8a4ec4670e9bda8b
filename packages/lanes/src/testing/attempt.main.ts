import { Randomness } from '@gondola/service-kit/run/randomness';
import type { AttemptProgress } from '@gondola/shared/commands/attempts';

import { Attempts } from '../commands/attempts.ts';
import { Commands, type OpenCommand } from '../commands/commands.ts';
import { type ClaimedLane, Lanes } from '../lanes/lanes.ts';
import { connectTestDatabase } from './test-database.ts';

export type AttemptDeath = 'while it is written down' | 'before the call' | 'after the call';

export interface AttemptProcessOptions {
  readonly url: string;
  readonly schema: string;
  readonly death: AttemptDeath;
  readonly lane: ClaimedLane;
  readonly command: OpenCommand;
  readonly progress: AttemptProgress;
}

/** Makes one attempt in a separate process, which is killed on the way; its call is a row in a table. */
await run(JSON.parse(process.argv[2] ?? '') as AttemptProcessOptions);

async function run({ url, schema, death, lane, command, progress }: AttemptProcessOptions): Promise<void> {
  const database = await connectTestDatabase(url, schema);
  const attempts = new Attempts(new Lanes(database), new Commands(), new Randomness());
  const dieAt = (here: AttemptDeath): void => {
    if (here === death) process.kill(process.pid, 'SIGKILL');
  };
  await attempts.make([{ lane, command, progress }], {
    deadlineMs: 60_000,
    guard: async (_tx, held) => {
      dieAt('while it is written down');
      return held;
    },
    call: async () => {
      dieAt('before the call');
      await database.query('INSERT INTO work_done (lane_id) VALUES ($1)', [lane.id]);
      dieAt('after the call');
      return new Map([[lane.id, { kind: 'accepted', operationId: null }]]);
    },
  });
}
