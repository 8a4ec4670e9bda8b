import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { spawnSupervised } from '@gondola/local-stack/process-supervisor';
import { waitFor } from '@gondola/local-stack/wait-for';
import { endLeases, namedConnections } from '@gondola/messaging/testing/end-leases';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

const MAIN = fileURLToPath(new URL('./lone-worker.main.ts', import.meta.url));

/**
 * Stores a command, has a worker in a process of its own work on it until it is killed, and another one finish.
 *
 * @param options of the worker that is killed, with its `death`
 * @param folder where its log is written
 * @param ask stores the command
 * @returns the published results
 */
export async function resultsAfterDeath(
  options: LoneWorkerOptions,
  folder: string,
  ask: (survivor: LoneWorker) => Promise<void>,
): Promise<Record<string, unknown>[]> {
  const survivor = await LoneWorker.open({ ...options, death: null });
  await survivor.database.connect();
  try {
    await ask(survivor);
    const logFile = join(folder, `${options.tenant}.log`);
    const victim = await spawnSupervised({
      command: process.execPath,
      args: [...SOURCES, MAIN, JSON.stringify({ ...options, url: namedConnections(options.url, options.tenant) })],
      cwd: folder,
      env: hostEnvironment(),
      logFile,
    });
    const { signal } = await victim.exited;
    if (signal !== 'SIGKILL') throw new Error(`The victim ended by itself: ${await readFile(logFile, 'utf8')}`);
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
