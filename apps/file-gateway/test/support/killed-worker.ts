import { KilledWorker } from '@gondola/operations/testing/killed-worker';
import { type FileWorkerOptions, LoneFileWorker } from './lone-worker.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);

/**
 * Stores a command, has a worker in a process of its own work on it until it is killed, and another one finish.
 *
 * @param options of the worker that is killed, with its `death`
 * @param ask stores the command
 * @returns the published results
 */
export async function resultsAfterDeath(
  options: FileWorkerOptions,
  ask: (survivor: LoneFileWorker) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const survivor = await LoneFileWorker.create({ ...options, death: null });
  const killed = await KilledWorker.create(survivor, MAIN, options);
  try {
    await ask(survivor);
    await killed.start();
    await killed.untilDead();
    await killed.takeOver();
    return await killed.results();
  } finally {
    await killed.close();
  }
}
