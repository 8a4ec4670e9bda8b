import { waitFor } from '@gondola/local-stack/wait-for';
import { endLeases, startVictim } from '@gondola/messaging/testing/end-leases';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);

/**
 * Stores a command, has a worker in a process of its own work on it until it is killed, and another one finish.
 *
 * @param options of the worker that is killed, with its `death`
 * @param ask stores the command
 * @returns the published results
 */
export async function resultsAfterDeath(
  options: LoneWorkerOptions,
  ask: (survivor: LoneWorker) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const survivor = await LoneWorker.open({ ...options, death: null });
  await survivor.database.connect();
  try {
    await ask(survivor);
    const victim = await startVictim(MAIN, options, options.tenant);
    try {
      const { signal } = await victim.exited;
      if (signal !== 'SIGKILL') throw new Error(`The victim ended by itself: ${await victim.output()}`);
    } finally {
      await victim.clear();
    }
    await endLeases(options, options.tenant, options.tenant);
    await survivor.startLanes();
    const published = async () => {
      const results = await survivor.published();
      return results.length > 0 && results;
    };
    return await waitFor(published, { describe: `the result of ${options.tenant}` });
  } finally {
    await survivor.stop();
  }
}
