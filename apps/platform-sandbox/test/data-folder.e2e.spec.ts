import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Shop } from './support/shop.ts';
import { image, SkuFiles } from './support/sku-files.ts';

const APP = join(import.meta.dirname, '..');
const FROM_SOURCES = ['--conditions=gondola-source', '--import=@gondola/local-stack/swc-hooks', 'src/main.ts'];
/** A name of a content, which no row of the sandbox knows. */
const UNKNOWN = 'c0ffee00-1234-4abc-8def-0123456789ab';

describe('the data folder of a shop', () => {
  let shop: Shop;
  let files: SkuFiles;

  beforeEach(async () => {
    shop = await Shop.open({ JOURNAL_MAX_BYTES: '20000' });
    files = await SkuFiles.open(shop);
    await files.sent('A/1', [image('one'), image('two')]);
  });
  afterEach(() => shop.close());

  /** Modes of the folder and all in it, links apart. */
  async function modes(): Promise<[string, string][]> {
    const names = ['.', ...(await readdir(shop.dataDir, { recursive: true }))];
    const found: [string, string][] = [];
    for (const name of names) {
      // A snapshot replaces files meanwhile.
      const stat = await lstat(join(shop.dataDir, name)).catch(() => null);
      if (stat === null || stat.isSymbolicLink()) continue;
      found.push([`${stat.isDirectory() ? 'folder' : 'file'} ${name}`, (stat.mode & 0o777).toString(8)]);
    }
    return found;
  }

  /** Entries that others than the owner may enter, read or change. */
  async function open(): Promise<[string, string][]> {
    return (await modes()).filter(([entry, mode]) => mode !== (entry.startsWith('folder') ? '700' : '600'));
  }

  it('is closed to other users while the sandbox runs and after its end', async () => {
    await shop.admin('POST', '/seed', {
      products: 200,
      pictures: 3,
      contractAccountId: files.merchant.contractAccountId,
    });
    expect((await modes()).length).toBeGreaterThan(9);
    expect(await open()).toEqual([]);
    await shop.stop();
    expect(await open()).toEqual([]);
  });

  it('of an earlier version is closed at the start, and has all that it had', async () => {
    await shop.stop();
    await rm(join(shop.dataDir, 'platform-sandbox.json'));
    for (const [entry] of await modes()) {
      const [, kind, name = ''] = /^(\w+) (.*)$/.exec(entry) ?? [];
      await chmod(join(shop.dataDir, name), kind === 'folder' ? 0o755 : 0o644);
    }
    await shop.start();
    expect(await files.contents('A/1')).toEqual(['one', 'two']);
    expect(await open()).toEqual([]);
  });

  it('keeps all that others have in it, and loses what the sandbox received only in part', async () => {
    await shop.stop();
    const texts = ['notes.txt', 'film.part', 'files/notes.txt', 'files/photos/1.jpg', `files/${UNKNOWN}.bak`];
    await mkdir(join(shop.dataDir, 'files/photos'));
    for (const name of texts) await writeFile(join(shop.dataDir, name), name);
    await symlink('../notes.txt', join(shop.dataDir, 'files/link'));
    await writeFile(join(shop.dataDir, 'files', UNKNOWN), 'half of a file');
    await shop.start();
    expect(await files.contents('A/1')).toEqual(['one', 'two']);
    for (const name of texts) expect(await readFile(join(shop.dataDir, name), 'utf8')).toBe(name);
    const left = await readdir(join(shop.dataDir, 'files'));
    expect(left).toEqual(expect.arrayContaining(['link', 'photos', 'notes.txt']));
    expect(left).not.toContain(UNKNOWN);
  });
});

describe("the command with somebody else's folder as --data", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sandbox-strange-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('ends with one sentence and the code 1, and leaves the folder as it is', async () => {
    await writeFile(join(folder, 'notes.txt'), 'x');
    const [stderr, code] = await new Promise<[string, number | null]>((resolve) => {
      const args = [...FROM_SOURCES, '--port', '0', '--data', folder];
      const child = execFile(process.execPath, args, { cwd: APP }, (_error, _stdout, said) =>
        resolve([said, child.exitCode]),
      );
    });
    const sentence = `${folder} is not the sandbox's own and not empty ("notes.txt"), and was left as it is`;
    expect(stderr.split('\n')).toEqual([expect.stringContaining(`Could not start: ${sentence}: give`), '']);
    expect(code).toBe(1);
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });
});
