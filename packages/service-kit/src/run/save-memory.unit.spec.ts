import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SOURCES } from '@gondola/local-stack/child-app';
import { beforeAll, describe, expect, it } from '@jest/globals';

const MAIN = fileURLToPath(new URL('../testing/lean-process.main.ts', import.meta.url));
const ROOT = join(import.meta.dirname, '../../../..');
/** Node.js gives 32 MB and more by default. */
const MOST_YOUNG_BYTES = 8 * 2 ** 20;

interface LeanProcess {
  readonly driver: string;
  readonly isEmail: boolean;
  readonly loaded: readonly string[];
  readonly youngBytes: number;
}

describe('a process that saves memory', () => {
  let lean: LeanProcess;

  beforeAll(async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [...SOURCES, MAIN], { maxBuffer: 2 ** 24 });
    lean = JSON.parse(stdout) as LeanProcess;
  });

  it('loads no driver of another database, and has that of PostgreSQL', () => {
    const drivers = lean.loaded.filter((file) => /typeorm\/driver\/.*\/\w+Driver\.js$/.test(file));
    expect(drivers.map((file) => file.split('/').at(-1))).toEqual(['PostgresDriver.js']);
    expect(lean.driver).toBe('PostgresDriver');
  });

  it('has the validators without the numbering plans of all countries', () => {
    expect(lean.isEmail).toBe(true);
    expect(lean.loaded.filter((file) => file.includes('/libphonenumber-js/'))).toHaveLength(1);
  });

  it('has a young generation that does not grow', () => {
    expect(lean.youngBytes).toBeLessThan(MOST_YOUNG_BYTES);
  });
});

it('no field is a phone number by class-validator, which saveMemory takes away', async () => {
  const files = globSync('{apps,packages}/*/src/**/*.ts', { cwd: ROOT });
  const texts = await Promise.all(files.map(async (file) => [file, await readFile(join(ROOT, file), 'utf8')] as const));
  expect(texts.length).toBeGreaterThan(0);
  expect(texts.filter(([, text]) => /\bIsPhoneNumber\(/.test(text)).map(([file]) => file)).toEqual([]);
});
