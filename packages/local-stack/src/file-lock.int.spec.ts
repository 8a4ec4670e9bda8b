import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { sized } from './testing/sized.ts';
import { withFileLock } from './file-lock.ts';
import { startContenders } from './testing/contenders.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { WAIT_LIMIT_MS } from './wait-for.ts';

const ROUNDS = sized(6, 50);
const LOCKS_PER_ROUND = 20;

describe('a file lock', () => {
  it('has one holder at a time, and leaves one empty file', async () => {
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
    await Promise.all(Array.from({ length: 10 }, () => withFileLock(file, WAIT_LIMIT_MS, work)));
    expect(most).toBe(1);
    expect(await readdir(folder.path)).toEqual(['lock']);
    expect(await readFile(file, 'utf8')).toBe('');
  });

  it('is released by work that fails', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    await expect(withFileLock(file, WAIT_LIMIT_MS, () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    );
    expect(await withFileLock(file, WAIT_LIMIT_MS, async () => 'done')).toBe('done');
  });

  it('is not taken from a living holder', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    await withFileLock(file, WAIT_LIMIT_MS, async () => {
      await expect(withFileLock(file, 50, async () => 'both')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    });
  });

  it('of a killed process is free', async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, 'lock');
    const program = `
      import { withFileLock } from ${JSON.stringify(import.meta.resolve('./file-lock.ts'))};
      await withFileLock(${JSON.stringify(file)}, 1_000, async () => {
        process.send('holds');
        await new Promise((resolve) => process.on('message', resolve));
      });`;
    const holder = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await once(holder, 'message');
    await expect(withFileLock(file, 50, async () => 'both')).rejects.toMatchObject({ code: 'WAIT_TIMEOUT' });
    holder.kill('SIGKILL');
    expect(await withFileLock(file, WAIT_LIMIT_MS, async () => 'done')).toBe('done');
  });

  it('is held by one of several processes, in many rounds', async () => {
    await using folder = await temporaryFolder();
    await using contenders = await startContenders(4);
    const rounds: string[][] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const places = Array.from({ length: LOCKS_PER_ROUND }, (_, place) => join(folder.path, `${round}-${place}`));
      for (const place of places) await mkdir(place);
      rounds.push(await contenders.all(`lock ${places.join(' ')}`));
    }
    expect(rounds.filter((answers) => answers.includes('both'))).toEqual([]);
  });
});
