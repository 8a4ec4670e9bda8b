import { randomBytes } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { identify, isRunning, type ProcessIdentity } from './process-identity.ts';
import { waitFor } from './wait-for.ts';

/**
 * Runs `work` while no other process, or other call in this one, holds the lock `file`. The lock of a process that died is taken over; two
 * that take it over in the same moment may both hold it, so that `work` must be harmless when done twice.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  await waitFor(() => take(file), { describe: `the lock ${file}`, timeoutMs });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

/** A link appears with its content or not at all: nobody reads half a lock. */
async function take(file: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeFile(draft, JSON.stringify(identify(process.pid)));
  try {
    await link(draft, file);
    return true;
  } catch {
    await removeIfStale(file);
    return false;
  } finally {
    await rm(draft);
  }
}

async function removeIfStale(file: string): Promise<void> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined && !isRunning(JSON.parse(text) as ProcessIdentity)) await rm(file, { force: true });
}
