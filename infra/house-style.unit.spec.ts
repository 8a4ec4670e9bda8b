import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
const MAX_COLUMNS = 120;

describe('the house style', () => {
  it('has no comment line over 120 columns', () => {
    const files = execFileSync('git', ['ls-files', '*.ts', '*.js'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(files.flatMap((file) => wideComments(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('asks for the size of a test run in one place', () => {
    const asking = execFileSync('git', ['grep', '-l', "env\\['GONDOLA_LONG'\\]", '--', '*.ts', '*.js'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(asking.trim().split('\n')).toEqual(['jest.config.js', 'packages/local-stack/src/testing/sized.ts']);
  });

  it.each([`/** ${'x'.repeat(MAX_COLUMNS)}`, ` * ${'x'.repeat(MAX_COLUMNS)}`, `  // ${'x'.repeat(MAX_COLUMNS)}`])(
    'finds a wide comment: %.8s',
    (line) => {
      expect(wideComments('a.ts', `const a = 1;\n${line}`)).toEqual([`a.ts:2: ${line.length} columns`]);
    },
  );
});

/** Comment lines over the limit, as `file:line: columns`. */
function wideComments(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = line.length;
    const isWide = columns > MAX_COLUMNS && /^\s*(\/\*|\*|\/\/)/.test(line);
    return isWide ? [`${file}:${index + 1}: ${columns} columns`] : [];
  });
}
