import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockSpool, type SpoolLock } from './spool-lock.ts';

const GIVE_UP = '';

let folder: string;
const held: SpoolLock[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-lock-'));
});

afterEach(async () => {
  for (const lock of held.splice(0)) await lock.release();
  await rm(folder, { recursive: true });
});

async function lock(): Promise<SpoolLock> {
  const taken = await lockSpool(folder);
  held.push(taken);
  return taken;
}

/** The lock's one file. */
async function file(): Promise<string> {
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  return join(folder, name ?? '');
}

const holder = async () => JSON.parse(await readFile(await file(), 'utf8')) as Record<string, unknown>;

/** The lock as somebody else would have written it. */
async function heldBy(other: Record<string, unknown>): Promise<void> {
  const taken = await lockSpool(folder);
  const mine = await holder();
  await taken.release();
  await writeFile(await file(), JSON.stringify({ ...mine, ...other }));
}

describe('the lock of a spool', () => {
  it('is had by one at a time, and by the next one after its release', async () => {
    await lock();
    await expect(lock()).rejects.toMatchObject({ code: 'SPOOL_IN_USE' });
    await held.pop()!.release();
    await lock();
    expect(await holder()).toMatchObject({ pid: process.pid });
  });

  it('is that of a process that runs, as long as it runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    await heldBy({ pid: child.pid, start: null });
    await expect(lock()).rejects.toThrow(`pid ${child.pid}`);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await lock();
  });

  it('is taken over from a process whose pid another one has by now, this one included', async () => {
    await heldBy({ pid: process.ppid, start: 'long ago' });
    await lock();
    await held.pop()!.release();
    await heldBy({ start: 'long ago' });
    await lock();
    expect(await holder()).toMatchObject({ pid: process.pid });
  });

  it('is taken over from another machine only when that has not touched it for long', async () => {
    await heldBy({ host: 'elsewhere.example.com' });
    await expect(lock()).rejects.toMatchObject({ code: 'SPOOL_IN_USE' });
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(await file(), longAgo, longAgo);
    await lock();
  });

  it('that cannot be read belongs to nobody', async () => {
    await writeFile(join(folder, 'lock'), '{');
    await lock();
    expect(await holder()).toMatchObject({ pid: process.pid });
  });

  it('never has a number that it had before, so that who was slow finds it taken', async () => {
    const numbers: number[] = [];
    for (let time = 1; time <= 3; time += 1) {
      await lock();
      numbers.push(Number(extname(await file()).slice(1)));
      await held.pop()!.release();
    }
    expect(numbers).toEqual([1, 2, 3]);
  });

  it('of an earlier version, which has no number, is respected', async () => {
    await writeFile(join(folder, 'lock'), JSON.stringify({ host: hostname(), pid: process.ppid, start: null }));
    await expect(lock()).rejects.toThrow(`pid ${process.ppid}`);
  });
});

describe('processes that find the lock of a dead one', () => {
  const CONTENDERS = 4;
  const ROUNDS = process.env['GONDOLA_LONG'] === undefined ? 150 : 3_000;

  it('never both take it, in many rounds', async () => {
    const contenders = Array.from({ length: CONTENDERS }, () =>
      fork(join(import.meta.dirname, '../testing/lock-contender.main.ts'), { execArgv: [] }),
    );
    const answers = (): Promise<string[]> =>
      Promise.all(contenders.map(async (each) => (await once(each, 'message'))[0] as string));
    await answers();
    const holders: number[] = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      const place = join(folder, String(round));
      await mkdir(place);
      const dead = { host: hostname(), pid: process.ppid, start: 'long ago' };
      await writeFile(join(place, 'lock'), JSON.stringify(dead));
      const answered = answers();
      for (const each of contenders) each.send(place);
      holders.push((await answered).filter((answer) => answer === 'holds').length);
      const released = answers();
      for (const each of contenders) each.send(GIVE_UP);
      await released;
    }
    for (const each of contenders) each.disconnect();
    expect({ most: Math.max(...holders), least: Math.min(...holders) }).toEqual({ most: 1, least: 1 });
  }, 120_000);
});
