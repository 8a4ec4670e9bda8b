import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lastRelease, textAt } from '@gondola/local-stack/testing/last-release';
import { describe, expect, it } from '@jest/globals';
import {
  filesAt,
  listAt,
  LISTS,
  migrationsIn,
  migrationsNow,
  namesIn,
  newIn,
  ROOT,
} from './testing/migration-lists.ts';

/** Statements that make apps of the last release fail, or writers wait for long. */
const FORBIDDEN: readonly (readonly [RegExp, string])[] = [
  [/\bDROP (TABLE|COLUMN|CONSTRAINT|INDEX)\b/i, 'drops what the last release may use'],
  [/\bRENAME\b/i, 'renames what the last release uses'],
  [/\bALTER (COLUMN )?\w+ (SET DATA )?TYPE\b/i, 'rewrites a table'],
  [/\bSET NOT NULL\b/i, 'reads a table under its lock, and the last release may store null'],
  [/\bADD CONSTRAINT\b(?![\s\S]*?\bNOT VALID\b)/i, 'reads a table under its lock'],
  [/\bADD COLUMN\b[^,;`]*\bNOT NULL\b(?![^,;`]*\bDEFAULT\b)/i, 'adds a column that the last release does not fill'],
  [/\bLOCK TABLE\b/i, 'locks a table'],
  [/^\s*(UPDATE|DELETE FROM)\b/im, 'changes rows of a whole table under their locks'],
];

const commit = lastRelease();

(commit === null ? describe.skip : describe)('migrations (skipped without the last release)', () => {
  it('of the last release are unchanged in text', () => {
    const lists = LISTS.map((list) => namesIn(listAt(commit!, list) ?? ''));
    // A list that has moved is found at its place of then.
    expect(lists.filter((names) => names.length === 0)).toEqual([]);
    const names = lists.flat();
    const before = migrationsIn(filesAt(commit!), (path) => textAt(commit!, path)!);
    const now = migrationsNow();
    expect(names.filter((name) => now.get(name) !== before.get(name))).toEqual([]);
  });

  it.each(LISTS)('of %s run in their order, new ones behind those of the last release', (list) => {
    const before = namesIn(listAt(commit!, list) ?? '');
    const now = namesIn(readFileSync(join(ROOT, list), 'utf8'));
    expect(now.slice(0, before.length)).toEqual(before);
    const times = now.slice(before.length).map((name) => Number(name.slice(-13)));
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times.filter((time) => before.some((name) => Number(name.slice(-13)) >= time))).toEqual([]);
  });

  it('that are new only add, and hold no table for long', () => {
    const fresh = LISTS.flatMap((list) => newIn(list, commit!));
    const texts = migrationsNow();
    expect(fresh.flatMap((name) => faultsOf(texts.get(name)!).map((fault) => `${name}: ${fault}`))).toEqual([]);
  });
});

describe('a migration', () => {
  it.each([
    ['ALTER TABLE commands DROP COLUMN note', 'drops'],
    ['ALTER TABLE commands RENAME COLUMN note TO remark', 'renames'],
    ['ALTER TABLE commands ALTER COLUMN note TYPE integer', 'rewrites'],
    ['ALTER TABLE commands ALTER note SET NOT NULL', 'null'],
    ['ALTER TABLE commands ADD CONSTRAINT some CHECK (note > 0)', 'reads'],
    ['ALTER TABLE commands ADD COLUMN note text NOT NULL', 'does not fill'],
    ['LOCK TABLE commands', 'locks'],
    ["UPDATE commands SET note = ''", 'rows'],
    ['CREATE INDEX some ON commands (note)', 'buildIndex'],
    ['CREATE UNIQUE INDEX some ON commands (note)', 'buildIndex'],
  ])('may not: %s', (statement, fault) => {
    expect(faultsOf(`await runner.query(\`\n${statement}\`)`)).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    'ALTER TABLE commands ADD COLUMN note text, ADD COLUMN rest integer NOT NULL DEFAULT 0',
    'ALTER TABLE commands ADD CONSTRAINT some CHECK (note > 0) NOT VALID',
    'CREATE TABLE notes (id bigint PRIMARY KEY, text text NOT NULL); CREATE INDEX some ON notes (text)',
  ])('may: %s', (statement) => {
    expect(faultsOf(`await runner.query(\`${statement}\`) } async down() { DROP TABLE notes`)).toEqual([]);
  });
});

/** Faults of the way up of a migration. */
function faultsOf(text: string): string[] {
  const up = (text.split(/async down\(/)[0] ?? '').replaceAll(/\/\*[\s\S]*?\*\/|^\s*(\/\/|--).*$/gm, '');
  const made = Array.from(up.matchAll(/CREATE TABLE (?:IF NOT EXISTS )?(\w+)/gi), ([, table]) => table);
  const indexed = Array.from(
    up.matchAll(/CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?\w+\s+ON (\w+)/gi),
    ([, table]) => table,
  );
  return [
    ...FORBIDDEN.filter(([pattern]) => pattern.test(up)).map(([, fault]) => fault),
    ...indexed
      .filter((table) => !made.includes(table))
      .map((table) => `indexes ${table} beside nobody: use buildIndex`),
  ];
}
