import { DatabaseSync } from 'node:sqlite';
import { waitFor } from './wait-for.ts';

/**
 * Runs `work` while no other process of this machine, and no other call in this process, holds the lock `file`, in
 * an existing folder. The lock is that of an empty SQLite database: the operating system releases it when its
 * holder ends, however it ends. Leaves an empty file. Throws `WAIT_TIMEOUT`.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const lock = await waitFor(() => take(file), { describe: `the lock ${file}`, timeoutMs });
  try {
    return await work();
  } finally {
    lock.close();
  }
}

/** Throws at once if the lock is held. */
function take(file: string): DatabaseSync {
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}
