import { describe, expect, it } from '@jest/globals';

import { waitFor } from '@gondola/local-stack/wait-for';

import { RepeatingTask } from './repeating-task.ts';
import { quietLogger } from '@gondola/kafka/testing/quiet-logger';

function task(run: () => Promise<void>): RepeatingTask {
  return new RepeatingTask({ name: 'test', everyMs: 1, run, logger: quietLogger() });
}

describe('a repeating task', () => {
  it('runs repeatedly, also after a failure, and never twice at once', async () => {
    let [runs, atOnce, most] = [0, 0, 0];
    const repeated = task(async () => {
      runs += 1;
      atOnce += 1;
      most = Math.max(most, atOnce);
      await Promise.resolve();
      atOnce -= 1;
      if (runs % 2 === 0) throw new Error('every second run fails');
    });
    await repeated.start();
    await repeated.start();
    await waitFor(() => runs >= 6, { describe: 'six runs' });
    await repeated.stop();
    const last = runs;
    expect(most).toBe(1);
    await repeated.start();
    await waitFor(() => runs > last, { describe: 'a run after a new start' });
    await repeated.stop();
  });

  it('waits for the current run when it stops, and does not run again', async () => {
    const gate = Promise.withResolvers<void>();
    let [runs, ended] = [0, 0];
    const repeated = task(async () => {
      runs += 1;
      await gate.promise;
      ended += 1;
    });
    await repeated.start();
    await waitFor(() => runs === 1, { describe: 'the first run' });
    const stopped = repeated.stop();
    gate.resolve();
    await stopped;
    expect([runs, ended]).toEqual([1, 1]);
  });
});
