import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { operationsTokenIn, secretsOf, writeTenantsFile } from './settings.ts';

describe('the operations token of npm start', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-token-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is long, drawn at random, and readable for its owner only', async () => {
    const file = join(folder, 'operations-token');
    const token = await operationsTokenIn(file);
    expect(token).toMatch(/^[\w-]{40,}$/);
    expect(await readFile(file, 'utf8')).toBe(`${token}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await operationsTokenIn(join(folder, 'another'))).not.toBe(token);
  });

  it('stays the same at the next start', async () => {
    const file = join(folder, 'operations-token');
    expect(await operationsTokenIn(file)).toBe(await operationsTokenIn(file));
  });

  it.each(['', 'short', 'one token and another one'])('is created again if the file holds %j', async (text) => {
    const file = join(folder, 'operations-token');
    await writeFile(file, text, { mode: 0o644 });
    expect(await operationsTokenIn(file)).toMatch(/^[\w-]{40,}$/);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });
});

describe('the secrets of the demo', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gondola-secrets-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('stay those of the first start', async () => {
    expect(await secretsOf(folder)).toEqual(await secretsOf(folder));
  });

  it('are readable for their owner only, also in place of a file that others could read', async () => {
    await writeFile(join(folder, 'secrets.json'), '{"platf', { mode: 0o644 });
    const secrets = await secretsOf(folder);
    const tenantsFile = await writeTenantsFile(folder, 'http://127.0.0.1:1');
    for (const file of ['secrets.json', tenantsFile])
      expect((await stat(resolve(folder, file))).mode & 0o777).toBe(0o600);
    expect(await secretsOf(folder)).toEqual(secrets);
  });
});
