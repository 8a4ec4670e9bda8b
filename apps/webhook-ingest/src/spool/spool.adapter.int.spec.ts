import {
  type FileHandle,
  mkdir,
  mkdtemp,
  open,
  readdir,
  readFile,
  rename,
  rm,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { createLogger } from '@gondola/service-kit/logging/logger';
import type { ReceivedBody } from '../notifications/read-notification.ts';
import { Spool, type SpoolOptions } from './spool.adapter.ts';

let folder: string;
const opened: Spool[] = [];
const lines: string[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gondola-spool-'));
  lines.splice(0);
});

afterEach(async () => {
  for (const spool of opened.splice(0)) await spool.close();
  await rm(folder, { recursive: true });
});

async function openSpool(options: Partial<SpoolOptions> = {}): Promise<Spool> {
  const logger = createLogger({ app: 'spool', level: 'info', destination: { write: (line) => void lines.push(line) } });
  const spool = new Spool({ folder, maxBytes: 1_000_000, logger, ...options });
  await spool.open();
  opened.push(spool);
  return spool;
}

function record(number: number, bytes = 100): ReceivedBody {
  const body = Buffer.alloc(bytes, `${number} `);
  return { tenant: 'acme', traceparent: `00-${number}`, receivedAt: new Date(1_700_000_000_000 + number), body };
}

/** Reads and removes everything, as the importer does. */
async function drain(spool: Spool): Promise<ReceivedBody[]> {
  const all: ReceivedBody[] = [];
  for (let file = await spool.next(); file !== undefined; file = await spool.next()) {
    all.push(...(await spool.read(file)).records);
    await spool.remove(file);
  }
  return all;
}

/** Paths of all spool files that wait to be imported. */
async function spoolFiles(): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  return paths.filter((path) => path.endsWith('.spool') && !path.startsWith('aside')).map((path) => join(folder, path));
}

/** Path of the folder of the one spool that is open. */
async function ownFolder(): Promise<string> {
  const names = (await readdir(folder)).filter((name) => name !== 'aside');
  expect(names).toHaveLength(1);
  return join(folder, names[0]!);
}

/** Takes the folder, as another host does once this process was silent for long. */
async function takeFolder(): Promise<string> {
  const taken = join(folder, 'of-another');
  await rename(await ownFolder(), taken);
  return taken;
}

const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

describe('the spool', () => {
  it('gives back what was appended, in order, over several files, and is empty then', async () => {
    const spool = await openSpool({ fileBytes: 1_000 });
    expect(spool.isEmpty).toBe(true);
    const all = numbers(0, 50).map((number) => record(number));
    await Promise.all([0, 10, 20, 30, 40].map((at) => spool.append(all.slice(at, at + 10))));
    expect(spool.isEmpty).toBe(false);
    expect(spool.stats()).toMatchObject({ records: 50, oldest: all[0]!.receivedAt });
    expect((await spoolFiles()).length).toBeGreaterThan(1);
    expect(await drain(spool)).toEqual(all);
    expect(spool.isEmpty).toBe(true);
    expect(spool.stats()).toEqual({ records: 0, bytes: 0, oldest: null });
  });

  it('continues in another file while one is being imported', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const first = await spool.next();
    await spool.append([record(2)]);
    expect((await spool.read(first!)).records).toEqual([record(1)]);
    await spool.remove(first!);
    expect(await drain(spool)).toEqual([record(2)]);
  });

  it('finds what a process left that was killed, and appends behind it', async () => {
    const killed = await openSpool();
    await killed.append([record(1), record(2)]);
    await opened.pop()!.close();
    const [file] = await spoolFiles();
    await truncate(file!, (await readFile(file!)).length - 10);
    const next = await openSpool();
    expect(next.isEmpty).toBe(false);
    await next.append([record(3)]);
    expect(await drain(next)).toEqual([record(1), record(3)]);
  });

  it('takes nothing over its limit, and everything again when there is room', async () => {
    const spool = await openSpool({ maxBytes: 2_000 });
    await spool.append([record(1, 500)]);
    expect(lines).toEqual([]);
    await spool.append([record(2, 500)]);
    expect(lines.join('')).toContain('half full');
    await spool.append([record(3, 500)]);
    expect(lines).toHaveLength(1);
    await expect(spool.append([record(4, 500)])).rejects.toMatchObject({ code: 'SPOOL_FULL' });
    expect(await drain(spool)).toEqual([record(1, 500), record(2, 500), record(3, 500)]);
    await spool.append([record(5, 500)]);
    expect(await drain(spool)).toEqual([record(5, 500)]);
  });

  it('leaves no file behind for what it could not store', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const handle = await open(join(folder, 'any'), 'w');
    const files = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const full = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    for (const failure of ['writeFile', 'writeFile', 'sync', 'sync'] as const) {
      const disk = jest.spyOn(files, failure).mockRejectedValue(full);
      await spool.next();
      await expect(spool.append([record(2)])).rejects.toMatchObject({ code: 'SPOOL_FAILED', cause: full });
      disk.mockRestore();
    }
    expect(await spoolFiles()).toHaveLength(1);
    expect(await drain(spool)).toEqual([record(1)]);
  });

  it('answers for nothing once another process has taken its folder, and goes on in a new one', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const taken = await takeFolder();
    await expect(spool.append([record(2)])).rejects.toMatchObject({ code: 'SPOOL_TAKEN' });
    expect({ isWritable: spool.isWritable, isEmpty: spool.isEmpty }).toEqual({ isWritable: false, isEmpty: true });
    expect(lines.join('')).toContain('Another process');
    await expect(spool.append([record(3)])).rejects.toMatchObject({ code: 'SPOOL_CLOSED' });
    await spool.open();
    await spool.append([record(4)]);
    expect(await drain(spool)).toEqual([record(4)]);
    await rename(taken, join(folder, 'released.0123abcd'));
    await spool.adopt();
    expect(await drain(spool)).toEqual([record(1), record(2)]);
  });

  it('removes no file once another process has taken its folder', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const file = (await spool.next())!;
    const taken = await takeFolder();
    await expect(spool.remove(file)).rejects.toMatchObject({ code: 'SPOOL_TAKEN' });
    expect(await readdir(taken)).toContain(file.name);
  });

  it('stores nothing while its folder cannot be written, logs that once, and continues afterwards', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const away = `${folder}-away`;
    await rename(folder, away);
    await spool.next();
    for (let attempt = 0; attempt < 3; attempt += 1) {
      await expect(spool.append([record(2)])).rejects.toMatchObject({
        code: 'SPOOL_FAILED',
        cause: { code: 'ENOENT' },
      });
    }
    expect(spool.isWritable).toBe(false);
    expect(lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
    await rename(away, folder);
    const obstacle = join(await ownFolder(), 'probe');
    await mkdir(obstacle);
    await expect(spool.probe()).rejects.toThrow('EISDIR');
    expect(spool.isWritable).toBe(false);
    await rm(obstacle, { recursive: true });
    await spool.probe();
    expect(spool.isWritable).toBe(true);
    await spool.append([record(3)]);
  });

  it('stores nothing while its folder cannot be seen, although its file is still open', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const away = `${folder}-away`;
    await rename(folder, away);
    await writeFile(folder, '');
    await expect(spool.append([record(2)])).rejects.toMatchObject({ code: 'SPOOL_FAILED', cause: { code: 'ENOTDIR' } });
    expect(spool.isWritable).toBe(false);
    await expect(spool.probe()).rejects.toThrow('ENOTDIR');
    await rm(folder);
    await rename(away, folder);
    await spool.probe();
    expect(spool.isWritable).toBe(true);
  });

  it('of a deleted folder is closed, so that nothing is written into deleted files, and is opened anew', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    await rm(folder, { recursive: true });
    await expect(spool.append([record(2)])).rejects.toMatchObject({ code: 'SPOOL_TAKEN' });
    expect(spool.isOpen).toBe(false);
    await spool.open();
    await spool.append([record(3)]);
    expect(await drain(spool)).toEqual([record(3)]);
  });

  it('takes over what other processes left, each file once, and nothing of those that run', async () => {
    const [first, second, third] = [await openSpool(), await openSpool(), await openSpool()];
    await first.append([record(1)]);
    await second.append([record(2)]);
    await second.adopt();
    expect(await second.next()).toMatchObject({ records: 1 });
    await first.close();
    await Promise.all([second.adopt(), third.adopt()]);
    const drained = [...(await drain(second)), ...(await drain(third))];
    expect(new Set(drained)).toEqual(new Set([record(1), record(2)]));
    expect(drained).toHaveLength(2);
  });

  it('imports what an earlier process left before its own, also after two that were killed', async () => {
    for (const number of [1, 2]) {
      const spool = await openSpool();
      await spool.append([record(number)]);
      await opened.pop()!.close();
    }
    const spool = await openSpool();
    await spool.append([record(3)]);
    expect(await drain(spool)).toEqual([record(1), record(2), record(3)]);
  });

  it('overwrites nothing that was set aside', async () => {
    for (const number of [1, 2, 3]) {
      const spool = await openSpool();
      await spool.append([record(number)]);
      const file = (await spool.next())!;
      await spool.aside.storeLines(file.name, [Buffer.from(`damaged ${number}`)]);
      await spool.remove(file);
      await opened.pop()!.close();
    }
    const names = await readdir(join(folder, 'aside'));
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'aside', name), 'latin1')));
    expect(texts.toSorted()).toEqual(['damaged 1\n', 'damaged 2\n', 'damaged 3\n']);
  });

  it('keeps aside what cannot be imported, and tries records again at the next start, before all others', async () => {
    const spool = await openSpool();
    await spool.append([record(1)]);
    const file = (await spool.next())!;
    await spool.aside.storeRecords(file.name, [record(1)]);
    await spool.aside.storeLines(file.name, [Buffer.from('damaged')]);
    await spool.remove(file);
    await spool.append([record(2)]);
    expect(spool.aside.files).toBe(2);
    await opened.pop()!.close();
    const next = await openSpool();
    expect(next.aside.files).toBe(1);
    expect(await drain(next)).toEqual([record(1), record(2)]);
  });
});
