// The folder of `npm start`: data, logs, what is running where. One start at a time has it, and only that one takes
// anything away from it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder, privateFolderAbovePostgres } from '@gondola/local-stack/server-folder';
import { claimFolder, releaseFolder } from '@gondola/local-stack/run-record';

export interface Home {
  readonly dataDir: string;
  readonly logDir: string;
  /** The addresses of everything that runs. */
  readonly addressesFile: string;
  /** Takes the addresses away and gives the folder up. */
  release(): Promise<void>;
}

/**
 * Claims the folder for this process, and closes it to other users. Throws a sentence when another start has it; then
 * nothing is changed.
 */
export async function claimHome(path: string): Promise<Home> {
  const dataDir = join(path, 'data');
  const logDir = join(path, 'logs');
  const addressesFile = join(path, 'run.json');
  const claim = join(path, 'start');
  const postgresData = join(dataDir, 'postgres/data');
  await privateFolderAbovePostgres(path, postgresData);
  await privateFolder(claim);
  await claimFolder(claim).catch((cause: unknown) => {
    throw new Error(`Gondola runs already (where, says ${addressesFile}); end it with Ctrl-C first`, { cause });
  });
  await privateFolderAbovePostgres(dataDir, postgresData);
  await privateFolder(logDir);
  return {
    dataDir,
    logDir,
    addressesFile,
    release: async () => {
      await rm(addressesFile, { force: true });
      await releaseFolder(claim);
    },
  };
}
