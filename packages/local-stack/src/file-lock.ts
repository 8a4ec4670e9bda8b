// Imported by path: the package's own name leads to a build, and the local stack runs before any build.
import { type FileLock, tryLock } from '@gondola/service-kit/run/file-lock';
import { identify, isRunning, type ProcessIdentity } from './process-table.ts';
import { waitFor } from './wait-for.ts';

/**
 * Runs `work` while no other process of this machine, and no other call in this process, holds the lock `file`. If
 * the holder died, one process takes over its lock. Leaves one small file. Throws `WAIT_TIMEOUT`.
 */
export async function withFileLock<T>(file: string, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  let attempt: Promise<FileLock | null> = Promise.resolve(null);
  const held = await waitFor(() => (attempt = take(file)), { describe: `the lock ${file}`, timeoutMs }).catch(
    async (error: unknown) => {
      // The last attempt may have got the lock just after the time-out.
      const late = await attempt.catch(() => null);
      await late?.release();
      throw error;
    },
  );
  try {
    return await work();
  } finally {
    await held.release();
  }
}

async function take(file: string): Promise<FileLock | null> {
  const attempt = await tryLock(file, { holder: identify(process.pid), isAlive });
  return attempt.kind === 'taken' ? attempt.lock : null;
}

function isAlive(holder: unknown): boolean {
  return isRunning(holder as ProcessIdentity);
}
