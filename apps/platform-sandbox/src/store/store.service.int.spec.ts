import { appendFile, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Store, type Table } from './store.service.ts';

type Row = { readonly n: number; readonly text: string };

describe('the store', () => {
  let folder: string;
  const opened: Store[] = [];

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await rm(folder, { recursive: true });
  });

  async function open(journalMaxBytes = 1_000_000): Promise<{ store: Store; rows: Table<string, Row> }> {
    const store = new Store({ folder, journalMaxBytes });
    const rows = store.table<string, Row>('rows');
    await store.open();
    opened.push(store);
    return { store, rows };
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
    const again = await open();
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
    expect([...(await open()).rows.values()]).toEqual([{ n: 1, text: '' }]);
  });

  it('continues its sequences', async () => {
    const { store } = await open();
    expect(store.unit(() => [store.next('one', 7), store.next('one', 7)])).toEqual([7, 8]);
    await store.synced();
    const again = await open();
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
    const again = await open();
    expect([...again.rows.keys()]).toEqual(['a']);
    again.store.unit(() => again.rows.put('b', { n: 2, text: '' }));
    await again.store.synced();
    expect([...(await open()).rows.keys()]).toEqual(['a', 'b']);
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
    await expect(open()).rejects.toThrow('damaged');
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

  it('does not start where another process runs, and takes over from one that was killed', async () => {
    await writeFile(join(folder, 'owner.pid'), String(process.ppid));
    await expect(open()).rejects.toThrow(`The process ${process.ppid} uses`);
    await writeFile(join(folder, 'owner.pid'), '999999999');
    expect((await open()).rows.size).toBe(0);
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
    const store = new Store({ folder: null, journalMaxBytes: 1 });
    const rows = store.table<string, Row>('rows');
    await store.open();
    store.unit(() => rows.put('a', { n: 1, text: '' }));
    await store.synced();
    expect(rows.size).toBe(1);
  });
});
