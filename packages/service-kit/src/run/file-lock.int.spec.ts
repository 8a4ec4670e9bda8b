import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sized } from '@gondola/local-stack/testing/sized';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type FileLock, tryLock } from './file-lock.ts';

const LIVING = { pid: 7 };
const DEAD = { pid: 0 };

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-file-lock-'));
  file = join(folder, 'lock');
});

afterEach(() => rm(folder, { recursive: true }));

const isAlive = (holder: unknown): boolean => (holder as typeof LIVING).pid === LIVING.pid;
const attempt = () => tryLock(file, { holder: LIVING, isAlive });

async function take(): Promise<FileLock> {
  const taken = await attempt();
  if (taken.kind === 'held') throw new Error('The lock is held');
  return taken.lock;
}

describe('a file lock', () => {
  it('has one holder at a time, which is named to the others, and is free after its release', async () => {
    const first = await take();
    expect(await attempt()).toEqual({ kind: 'held', by: LIVING });
    await first.release();
    const second = await take();
    expect(JSON.parse(await readFile(second.path, 'utf8'))).toEqual(LIVING);
  });

  it('of a dead process is taken over, and one small file is left', async () => {
    await writeFile(`${file}.4`, JSON.stringify(DEAD));
    expect((await take()).path).toBe(`${file}.5`);
    expect(await readdir(folder)).toEqual(['lock.5']);
  });

  it.each(['', '{', 'null'])('with the content %j is free', async (content) => {
    await writeFile(`${file}.1`, content);
    expect(await attempt()).toMatchObject({ kind: 'taken' });
  });

  it('never repeats a number, so that a slow process finds it taken', async () => {
    const paths: string[] = [];
    for (let time = 1; time <= 3; time += 1) {
      const lock = await take();
      paths.push(lock.path);
      await lock.release();
    }
    expect(paths).toEqual([`${file}.1`, `${file}.2`, `${file}.3`]);
  });

  it('is not taken by a process if others held it between its read and its link', async () => {
    await writeFile(`${file}.1`, JSON.stringify(DEAD));
    const slow = await tryLock(file, {
      holder: { pid: 8 },
      isAlive: async () => {
        await (await take()).release();
        await take();
        return false;
      },
    });
    expect(slow).toEqual({ kind: 'held', by: LIVING });
    expect(await readdir(folder)).toEqual(['lock.3']);
  });

  it('whose file is gone is released without an error', async () => {
    const lock = await take();
    await rm(lock.path);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('that another process took over is not freed by its old holder', async () => {
    const lock = await take();
    const other = { holder: { pid: 8 }, isAlive: () => false };
    expect(await tryLock(file, other)).toMatchObject({ kind: 'taken' });
    await lock.release();
    expect(JSON.parse(await readFile(`${file}.2`, 'utf8'))).toEqual(other.holder);
    // As after its folder was deleted: the numbers begin again.
    await rename(`${file}.2`, `${file}.1`);
    await lock.release();
    expect(JSON.parse(await readFile(`${file}.1`, 'utf8'))).toEqual(other.holder);
  });

  it('without a number, of an earlier version, is respected while its process lives', async () => {
    await writeFile(file, JSON.stringify(LIVING));
    expect(await attempt()).toEqual({ kind: 'held', by: LIVING });
    await writeFile(file, JSON.stringify(DEAD));
    await take();
    expect(await readdir(folder)).toEqual(['lock.1']);
  });

  it('in a missing folder is an error, and is not taken', async () => {
    await expect(tryLock(join(folder, 'none', 'lock'), { holder: LIVING, isAlive })).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

describe('processes that find the lock of a dead process', () => {
  const CONTENDERS = 4;
  const ROUNDS = sized(150, 3_000);
  const GIVE_UP = '';

  it('never both take it, in many rounds', async () => {
    const contenders = Array.from({ length: CONTENDERS }, () =>
      fork(join(import.meta.dirname, '../testing/lock-contender.main.ts'), { execArgv: [] }),
    );
    const answers = (): Promise<string[]> =>
      Promise.all(contenders.map(async (each) => (await once(each, 'message'))[0] as string));
    try {
      await answers();
      const holders: number[] = [];
      for (let round = 1; round <= ROUNDS; round += 1) {
        const place = join(folder, String(round));
        await mkdir(place);
        await writeFile(join(place, 'lock.1'), JSON.stringify(DEAD));
        const answered = answers();
        for (const each of contenders) each.send(join(place, 'lock'));
        holders.push((await answered).filter((answer) => answer === 'taken').length);
        const released = answers();
        for (const each of contenders) each.send(GIVE_UP);
        await released;
      }
      expect({ most: Math.max(...holders), least: Math.min(...holders) }).toEqual({ most: 1, least: 1 });
    } finally {
      for (const each of contenders) each.disconnect();
    }
  });
});
