import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { TransformCache } from './transform-cache.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let file: string;
let cacheFolder: string;

beforeEach(async () => {
  folder = await temporaryFolder();
  file = join(folder.path, 'source.ts');
  cacheFolder = join(folder.path, 'deep', 'cache');
  await writeFile(file, 'export const price: number = 1;');
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

const load = () => new TransformCache(cacheFolder).load(file);
const cachedFile = async () => join(cacheFolder, (await readdir(cacheFolder))[0] ?? '');

describe('the cache of transformed sources', () => {
  it('returns JavaScript, read from an earlier process’s file instead of transformed again', async () => {
    expect(load()).toContain('export const price = 1;');
    const stored = await readFile(await cachedFile(), 'utf8');
    await writeFile(await cachedFile(), stored.replace('price = 1', 'price = 7'));
    expect(load()).toContain('export const price = 7;');
  });

  it('transforms a changed source again, and replaces the old file', async () => {
    load();
    await writeFile(file, 'export const price: number = 2;');
    expect(load()).toContain('export const price = 2;');
    expect(await readdir(cacheFolder)).toHaveLength(1);
  });

  it.each(['', 'half a hash', '\n'])('transforms again if the stored file is %j', async (remains) => {
    const code = load();
    await writeFile(await cachedFile(), remains);
    expect(load()).toBe(code);
  });

  it('distinguishes two files of the same text: a stack trace names the right one', async () => {
    load();
    const second = join(folder.path, 'second.ts');
    await writeFile(second, await readFile(file));
    new TransformCache(cacheFolder).load(second);
    expect(await readdir(cacheFolder)).toHaveLength(2);
  });

  it('names the file that cannot be read or transformed', async () => {
    await writeFile(file, 'export const = ;');
    expect(load).toThrow(/source\.ts|Expression expected|Syntax/);
    expect(() => new TransformCache(cacheFolder).load(join(folder.path, 'absent.ts'))).toThrow('absent.ts');
  });
});
