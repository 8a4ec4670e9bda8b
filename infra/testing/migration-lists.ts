import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textAt } from '@gondola/local-stack/testing/last-release';

export const ROOT = join(import.meta.dirname, '../..');
/** Lists of migrations: those that each app has, and those of an app. The sandbox is no part of a roll-out. */
export const LISTS = [
  'packages/lanes/src/messaging-tables.ts',
  ...['catalog-publisher', 'console', 'file-gateway', 'order-command-handler', 'webhook-ingest'].map(
    (app) => `apps/${app}/src/database.schema.ts`,
  ),
];
/** Places that lists had in the last release, where they stand elsewhere now. */
const BEFORE: Readonly<Record<string, string>> = {
  'packages/lanes/src/messaging-tables.ts': 'packages/messaging/src/messaging-tables.ts',
};

/** Text of a list in the last release, by its place today; null if it had none. */
export function listAt(commit: string, list: string): string | null {
  return textAt(commit, BEFORE[list] ?? list);
}

/** Names of the migrations in the list of a file, in its order. */
export function namesIn(text: string): string[] {
  const [, list = ''] = /Migrations(?:: readonly MigrationClass\[\])? = \[([^\]]*)\]/.exec(text) ?? [];
  return Array.from(list.matchAll(/\w+\d{13}\b/g), ([name]) => name);
}

/** Names of the migrations in a list that it has not at the commit. */
export function newIn(list: string, commit: string): string[] {
  const before = namesIn(listAt(commit, list) ?? '');
  return namesIn(readFileSync(join(ROOT, list), 'utf8')).filter((name) => !before.includes(name));
}

/** Text of each migration by its name. */
export function migrationsIn(files: readonly string[], read: (path: string) => string): ReadonlyMap<string, string> {
  return new Map(
    files
      .map(read)
      .flatMap((text) => Array.from(text.matchAll(/class (\w+\d{13}) /g), ([, name]) => [name!, text.trim()])),
  );
}

export function migrationsNow(): ReadonlyMap<string, string> {
  const files = git('ls-files', '--cached', '--others', '--exclude-standard', '*.migration.ts');
  return migrationsIn(files, (path) => readFileSync(join(ROOT, path), 'utf8'));
}

export function filesAt(at: string): string[] {
  return git('ls-tree', '-r', '--name-only', at).filter((path) => path.endsWith('.migration.ts'));
}

function git(...args: string[]): string[] {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' })
    .split('\n')
    .filter((path) => path !== '');
}
