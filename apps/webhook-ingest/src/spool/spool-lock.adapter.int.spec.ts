import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { lockSpool, type SpoolLock } from './spool-lock.adapter.ts';

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

/** Name of the lock's only file. */
async function file(): Promise<string> {
  const [name, ...others] = await readdir(folder);
  expect(others).toEqual([]);
  return join(folder, name ?? '');
}

const holder = async () => JSON.parse(await readFile(await file(), 'utf8')) as Record<string, unknown>;

/** Writes the lock as another holder would. */
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

  it('of an earlier version, which has no number, is respected', async () => {
    await writeFile(join(folder, 'lock'), JSON.stringify({ host: hostname(), pid: process.ppid, start: null }));
    await expect(lock()).rejects.toThrow(`pid ${process.ppid}`);
  });
});
