import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { withFileLock } from '../file-lock.ts';
import { claimFolder } from '../run-record.ts';

// A process of its own that takes what it is sent, for file-lock.int.spec.ts and run-record.int.spec.ts.
process.on('message', (order: string) => {
  const [kind, folder = ''] = order.split(' ');
  void (kind === 'lock' ? lock(folder) : claim(folder)).then((answer) => process.send?.(answer));
});
process.send?.('ready');

/** Whether nobody else was inside. */
async function lock(folder: string): Promise<string> {
  return await withFileLock(join(folder, 'lock'), 60_000, async () => {
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
