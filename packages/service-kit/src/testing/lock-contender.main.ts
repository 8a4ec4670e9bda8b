import { type FileLock, tryLock } from '../run/file-lock.ts';

// A separate process that tries to take the lock named in a message, for file-lock.int.spec.ts.
let lock: FileLock | undefined;

process.on('message', (file: string) => void (file === '' ? giveUp() : contend(file)));
process.send?.('ready');

async function contend(file: string): Promise<void> {
  const attempt = await tryLock(file, { holder: { pid: process.pid }, isAlive });
  if (attempt.kind === 'taken') lock = attempt.lock;
  process.send?.(attempt.kind);
}

async function giveUp(): Promise<void> {
  await lock?.release();
  lock = undefined;
  process.send?.('gave up');
}

/** Contenders live as long as their test; the stale lock that they all find belongs to pid 0. */
function isAlive(holder: unknown): boolean {
  return (holder as { readonly pid: number }).pid !== 0;
}
