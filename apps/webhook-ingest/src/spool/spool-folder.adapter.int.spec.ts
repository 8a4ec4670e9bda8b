import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logging/logger';
import { SpoolFolder } from './spool-folder.adapter.ts';

let parent: string;
const opened: SpoolFolder[] = [];
const lines: string[] = [];
const logger = createLogger({ app: 'folder', level: 'info', destination: { write: (line) => void lines.push(line) } });

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'gondola-folder-'));
  lines.splice(0);
});

afterEach(async () => {
  for (const folder of opened.splice(0)) await folder.release();
  await rm(parent, { recursive: true });
});

async function own(): Promise<SpoolFolder> {
  const folder = await SpoolFolder.create(parent, logger);
  opened.push(folder);
  return folder;
}

interface Holder {
  readonly pid?: number;
  readonly start?: string;
  readonly host?: string;
}

/** Leaves a folder with one file, as another process would. */
async function left({ pid = process.pid, start = '', host = hostname() }: Holder): Promise<string> {
  const path = join(parent, `${pid}.${start}.0123abcd.${host}`);
  await mkdir(path);
  await writeFile(join(path, 'file'), 'content');
  return path;
}

describe('the folder of a process', () => {
  it('is given up at its release, for any other to take, and is gone if it is empty', async () => {
    const first = await own();
    await writeFile(join(first.path, 'file'), 'content');
    const second = await own();
    expect(await second.adopt()).toEqual([]);
    await first.release();
    expect(await second.adopt()).toEqual(['file']);
    expect(await readFile(join(second.path, 'file'), 'utf8')).toBe('content');
    expect(await readdir(parent)).toEqual([second.path.slice(parent.length + 1)]);
    await rm(join(second.path, 'file'));
    await second.release();
    expect(await readdir(parent)).toEqual([]);
  });

  it('is taken over from a process once that no longer runs', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    await left({ pid: child.pid! });
    const folder = await own();
    expect(await folder.adopt()).toEqual([]);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await folder.adopt()).toEqual(['file']);
  });

  it('is taken over from a process whose pid another one has by now, this one included', async () => {
    const folder = await own();
    await left({ pid: process.ppid, start: '1' });
    expect(await folder.adopt()).toEqual(['file']);
    await left({ start: '1' });
    expect(await folder.adopt()).toEqual(['file']);
  });

  it('is taken over from another machine only when that has not touched it for long', async () => {
    const path = await left({ host: 'elsewhere.example.com' });
    const folder = await own();
    expect(await folder.adopt()).toEqual([]);
    const longAgo = new Date(Date.now() - 60_000);
    await utimes(path, longAgo, longAgo);
    expect(await folder.adopt()).toEqual(['file']);
  });

  it('is taken by one of those that find it at once', async () => {
    const folders = await Promise.all(Array.from({ length: 5 }, own));
    await left({ start: '1' });
    const adopted = await Promise.all(folders.map((folder) => folder.adopt()));
    expect(adopted.flat()).toEqual(['file']);
  });

  it('is taken with the folders whose adoption its process did not finish', async () => {
    const path = await left({ start: '1' });
    const inner = await left({ pid: 1, start: '1' });
    await rename(join(inner, 'file'), join(inner, 'older'));
    await rename(inner, join(path, inner.slice(parent.length + 1)));
    const folder = await own();
    expect((await folder.adopt()).toSorted()).toEqual(['file', 'older']);
    expect((await readdir(folder.path)).toSorted()).toEqual(['file', 'older']);
  });

  it('is there until another process takes it', async () => {
    const folder = await own();
    expect(await folder.isThere()).toBe(true);
    await rename(folder.path, join(parent, 'of-another'));
    expect(await folder.isThere()).toBe(false);
  });

  it('that cannot be taken is logged by its name once, and stops no other', async () => {
    const folder = await own();
    const path = await left({ start: '1' });
    // A file of this name cannot be replaced by a folder.
    await writeFile(join(folder.path, path.slice(parent.length + 1)), '');
    await left({ pid: process.ppid, start: '1' });
    expect(await folder.adopt()).toEqual(['file']);
    expect(await folder.adopt()).toEqual([]);
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ level: 'error', file: path.slice(parent.length + 1) }),
    ]);
  });

  it('leaves alone what is no folder of a process', async () => {
    await mkdir(join(parent, 'lost+found'));
    const folder = await own();
    expect(await folder.adopt()).toEqual([]);
    expect(await readdir(parent)).toContain('lost+found');
  });
});
