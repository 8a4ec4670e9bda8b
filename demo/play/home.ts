// Folder of `npm start`: data, logs, and the addresses of what runs. Only one start at a time holds it, and only
// that one removes files from it.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { privateFolder } from '@gondola/local-stack/private-files';
import { claimFolder, releaseFolder } from '@gondola/local-stack/run-record';
import { privateFolderAbovePostgres } from '@gondola/local-stack/server-folder';

export interface Home {
  readonly dataDir: string;
  readonly logDir: string;
  /** File with the addresses of everything that runs. */
  readonly addressesFile: string;
  /** Removes the addresses and releases the folder. */
  release(): Promise<void>;
}

/**
 * Claims the folder for this process, and closes it to other users. If another start holds it, throws a sentence
 * and changes nothing.
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
