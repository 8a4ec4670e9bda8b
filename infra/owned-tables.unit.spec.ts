import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
/** Statements on the tables of `packages/messaging`. */
const ON_A_TABLE = /\b(?:from|join|into|update|table)\s+(?:only\s+)?(lanes|commands|outbox|dead_letters)\b/gi;

describe('the tables of messaging', () => {
  it('are read and written by messaging alone: no app has SQL on them', () => {
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

/** Removes comments, which may name a table. */
function statementsIn(file: string, text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  return [...code.matchAll(ON_A_TABLE)].map(([statement]) => `${file}: ${statement}`);
}
