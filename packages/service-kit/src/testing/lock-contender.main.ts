import { type FileLock, tryLock } from '../run/file-lock.ts';

// A process of its own that tries to take the lock that it is sent, for file-lock.int.spec.ts.
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

/** Contenders live as long as their test; the lock that they all find is that of pid 0. */
function isAlive(holder: unknown): boolean {
  return (holder as { readonly pid: number }).pid !== 0;
}
