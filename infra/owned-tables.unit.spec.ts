import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
/** Statements on the tables of `packages/lanes`. */
const ON_A_TABLE = /\b(?:from|join|into|update|table)\s+(?:only\s+)?(lanes|commands|outbox|dead_letters)\b/gi;

describe('the tables of lanes', () => {
  it('are read and written by their package alone: no app has SQL on them', () => {
    const files = execFileSync('git', ['ls-files', 'apps/*/src/*.ts'], { cwd: ROOT, encoding: 'utf8' });
    // Tests and migrations may name a table.
    const sources = files
      .split('\n')
      .filter((file) => file !== '' && !/\.spec\.ts$|\/testing\/|\.migration\.ts$/.test(file));
    expect(sources.length).toBeGreaterThan(100);
    expect(sources.flatMap((file) => statementsIn(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it.each(['SELECT id FROM lanes WHERE x', 'JOIN commands AS c', 'UPDATE commands SET', 'INSERT INTO outbox ('])(
    'finds: %s',
    (text) => {
      expect(statementsIn('a.ts', `const a = \`${text}\`;`)).toHaveLength(1);
    },
  );
});

describe('entities', () => {
  it('are each used by a repository, or are the other end of a foreign key', () => {
    const files = execFileSync('git', ['ls-files', 'apps/*/src/*.ts', 'packages/*/src/*.ts'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    // The sandbox is no part of the connector.
    const sources = files
      .split('\n')
      .filter((file) => file !== '' && !/\.spec\.ts$|\/testing\/|platform-sandbox/.test(file));
    const texts = sources.map((file) => readFileSync(join(ROOT, file), 'utf8'));
    const classes = texts.flatMap((text) => [...text.matchAll(/^@Entity\([\s\S]*?^export class (\w+)/gm)]);
    expect(classes.length).toBeGreaterThan(15);
    const all = texts.join('\n');
    const unused = classes.filter(([, name]) => !isUsed(name!, all)).map(([, name]) => name);
    expect(unused).toEqual([]);
  });

  it('finds one that only a list of tables names', () => {
    expect(isUsed('ShelfEntity', 'entities: [ShelfEntity]')).toBe(false);
    expect(isUsed('ShelfEntity', 'this.database.repository(ShelfEntity, tx)')).toBe(true);
  });
});

function isUsed(name: string, text: string): boolean {
  return new RegExp(`(?:repository\\(\\s*|\\(\\) => )${name}\\b`).test(text);
}

/** Removes comments, which may name a table. */
function statementsIn(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(ON_A_TABLE)].map(([statement]) => `${file}: ${statement}`);
}
