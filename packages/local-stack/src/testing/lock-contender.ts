import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../file-lock.ts';
import { claimFolder } from '../run-record.ts';
import { WAIT_LIMIT_MS } from '../wait-for.ts';

// A separate process that takes what a message names, for file-lock.int.spec.ts and run-record.int.spec.ts: one
// folder to claim, or several locks at once.
process.on('message', (order: string) => {
  const [kind, ...folders] = order.split(' ');
  void (kind === 'lock' ? lockAll(folders) : claim(folders[0]!)).then((answer) => process.send?.(answer));
});
process.send?.('ready');

async function lockAll(folders: readonly string[]): Promise<string> {
  const answers = await Promise.all(folders.map(lock));
  return answers.includes('both') ? 'both' : 'alone';
}

/** Reports whether no other process held the lock at the same time. */
async function lock(folder: string): Promise<string> {
  return await withFileLock(join(folder, 'lock'), WAIT_LIMIT_MS, async () => {
    const inside = join(folder, 'inside');
    const mine = await open(inside, 'wx').catch(() => null);
    if (mine === null) return 'both';
    for (let time = 1; time <= 20; time += 1) await readdir(folder);
    await mine.close();
    await rm(inside);
    return 'alone';
  });
}

async function claim(folder: string): Promise<string> {
  return await claimFolder(folder).then(
    () => 'holds',
    () => 'refused',
  );
}
