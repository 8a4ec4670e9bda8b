import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Store, type Table } from './store.service.ts';

type Row = { readonly n: number; readonly text: string };
type Opened = { readonly folder: string; readonly store: Store; readonly rows: Table<string, Row> };

describe('the store', () => {
  let folder: string;
  const opened: Store[] = [];
  const crashed: string[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    for (const path of [folder, ...crashed.splice(0)]) await rm(path, { recursive: true });
  });

  /** Opens a copy of the folder, as a crash at this moment would leave it. */
  async function openAfterCrash(of = folder): Promise<Opened> {
    const copy = await mkdtemp(join(tmpdir(), 'store-'));
    crashed.push(copy);
    await cp(of, copy, { recursive: true });
    return open(1_000_000, copy);
  }

  async function open(journalMaxBytes = 1_000_000, from = folder): Promise<Opened> {
    const store = new Store({ folder: from, version: '1.2.3', journalMaxBytes });
    const rows = store.table<string, Row>('rows');
    await store.open();
    opened.push(store);
    return { folder: from, store, rows };
  }

  async function journal(): Promise<string> {
    const [name = ''] = (await readdir(folder)).filter((one) => one.startsWith('journal.'));
    return join(folder, name);
  }

  it('has after a start what was synchronised before, though the process did not stop', async () => {
    const { store, rows } = await open();
    store.unit(() => {
      rows.put('a', { n: 1, text: 'ação "\n"' });
      rows.put('b', { n: 2, text: '' });
    });
    store.unit(() => rows.delete('b'));
    await store.synced();
    const again = await openAfterCrash();
    expect([...again.rows.values()]).toEqual([{ n: 1, text: 'ação "\n"' }]);
  });

  it('undoes a unit that throws, in memory as on the disk', async () => {
    const { store, rows } = await open();
    store.unit(() => rows.put('a', { n: 1, text: '' }));
    const failing = (): never =>
      store.unit(() => {
        rows.put('a', { n: 2, text: '' });
        rows.put('b', { n: 2, text: '' });
        throw new Error('no');
      });
    expect(failing).toThrow('no');
    expect([...rows.keys()]).toEqual(['a']);
    expect(rows.get('a')).toEqual({ n: 1, text: '' });
    await store.synced();
    expect([...(await openAfterCrash()).rows.values()]).toEqual([{ n: 1, text: '' }]);
  });

  it('continues its sequences', async () => {
    const { store } = await open();
    expect(store.unit(() => [store.next('one', 7), store.next('one', 7)])).toEqual([7, 8]);
    await store.synced();
    const again = await openAfterCrash();
    expect(again.store.unit(() => again.store.next('one', 7))).toBe(9);
  });

  it('refuses a change outside of a unit', async () => {
    const { rows } = await open();
    expect(() => rows.put('a', { n: 1, text: '' })).toThrow('outside a unit');
  });

  it.each(['00000000 [["rows","x",', 'x', ''])('cuts off a torn end: %j', async (torn) => {
    const { store, rows } = await open();
    store.unit(() => rows.put('a', { n: 1, text: '' }));
    await store.synced();
    await appendFile(await journal(), torn);
    const again = await openAfterCrash();
    expect([...again.rows.keys()]).toEqual(['a']);
    again.store.unit(() => again.rows.put('b', { n: 2, text: '' }));
    await again.store.synced();
    expect([...(await openAfterCrash(again.folder)).rows.keys()]).toEqual(['a', 'b']);
  });

  it('does not start with damage before the end', async () => {
    const { store, rows } = await open();
    for (const key of ['a', 'b', 'c']) {
      store.unit(() => rows.put(key, { n: 1, text: key }));
      await store.synced();
    }
    const path = await journal();
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('"text":"b"', '"text":"x"'));
    await expect(openAfterCrash()).rejects.toThrow('damaged');
  });

  it('replaces a journal that has grown by a snapshot, beside the work', async () => {
    const { store, rows } = await open(2_000);
    for (let n = 0; n < 300; n += 1) {
      store.unit(() => rows.put(`key ${n % 50}`, { n, text: 'x'.repeat(100) }));
      if (n % 3 === 0) await store.synced();
    }
    await store.close();
    opened.splice(0);
    const names = await readdir(folder);
    expect(names.filter((name) => name.startsWith('snapshot.'))).toHaveLength(1);
    const { rows: again } = await open();
    expect(again.size).toBe(50);
    expect(Math.min(...[...again.values()].map(({ n }) => n))).toBe(250);
  });

  it('does not open a folder that is in use, though the user has the same process id, and says who it is', async () => {
    await open();
    await expect(new Store({ folder, version: '1.2.3', journalMaxBytes: 1 }).open()).rejects.toThrow(
      new RegExp(`^${folder} is in use by the sandbox on host ${hostname()}, process ${process.pid}, running since 20`),
    );
  });

  it('takes over from a process that was killed', async () => {
    const program = `
      import { Store } from ${JSON.stringify(import.meta.resolve('./store.service.ts'))};
      await new Store({ folder: ${JSON.stringify(folder)}, version: '1.2.3', journalMaxBytes: 1_000 }).open();
      process.send('open');
      setInterval(() => {}, 1_000);`;
    const hooks = ['--conditions=gondola-source', '--import=@gondola/local-stack/swc-hooks'];
    const holder = spawn(process.execPath, [...hooks, '--input-type=module', '--eval', program], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    await Promise.race([once(holder, 'message'), once(holder, 'close')]);
    await expect(open()).rejects.toThrow(`process ${holder.pid}, running since`);
    holder.kill('SIGKILL');
    await once(holder, 'close');
    expect((await open()).rows.size).toBe(0);
  });

  it('opens a folder in which a process of an earlier version was killed', async () => {
    await writeFile(join(folder, 'owner.pid'), String(process.ppid));
    expect((await open()).rows.size).toBe(0);
    expect(await readdir(folder)).not.toContain('owner.pid');
  });

  it('fails to synchronise, and says why, once its journal cannot be written', async () => {
    const { store, rows } = await open(1);
    await rm(folder, { recursive: true });
    store.unit(() => rows.put('a', { n: 1, text: '' }));
    await expect(
      store.synced().then(() => store.unit(() => rows.put('b', { n: 1, text: '' }))),
    ).resolves.toBeUndefined();
    await expect(store.synced()).rejects.toThrow('cannot be written');
    expect(store.failure?.message).toContain('cannot be written');
    await mkdir(folder);
  });

  it('writes nothing without a folder', async () => {
    const store = new Store({ folder: null, version: '1.2.3', journalMaxBytes: 1 });
    const rows = store.table<string, Row>('rows');
    await store.open();
    store.unit(() => rows.put('a', { n: 1, text: '' }));
    await store.synced();
    expect(rows.size).toBe(1);
  });
});
