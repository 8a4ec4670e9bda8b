import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sized } from './testing/sized.ts';
import { withFileLock } from './file-lock.ts';
import { startContenders } from './testing/contenders.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const ROUNDS = sized(60, 1_000);

describe('a file lock', () => {
  it('lets one in at a time, and leaves one small file', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    let inside = 0;
    let most = 0;
    const work = async () => {
      inside += 1;
      most = Math.max(most, inside);
      await readdir(folder.path);
      inside -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(file, 10_000, work)));
    expect(most).toBe(1);
    expect(await readdir(folder.path)).toEqual(['lock.10']);
  });

  it('is opened again by work that fails', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    await expect(withFileLock(file, 10_000, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await withFileLock(file, 10_000, async () => 'done')).toBe('done');
  });

  it('is taken over from a process that died, and from nobody else', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    await writeFile(file, JSON.stringify({ pid: process.pid, start: 'a former life' }));
    expect(await withFileLock(file, 10_000, async () => 'done')).toBe('done');
    await withFileLock(file, 10_000, async () => {
      await expect(withFileLock(file, 50, async () => 'both')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    });
  });

  it('of a process that died is never taken by two processes, in many rounds', async () => {
    await using folder = await temporaryFolder();
    await using contenders = await startContenders(4);
    const rounds: string[][] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const place = join(folder.path, String(round));
      await mkdir(place);
      await writeFile(join(place, 'lock'), JSON.stringify({ pid: process.pid, start: 'a former life' }));
      rounds.push(await contenders.all(`lock ${place}`));
    }
    expect(rounds.filter((answers) => answers.includes('both'))).toEqual([]);
  }, 120_000);
});
