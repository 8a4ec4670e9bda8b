import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..');
const MAX_COLUMNS = 120;

describe('the house style', () => {
  it('has no comment line over 120 columns', () => {
    expect(sourceFiles().flatMap((file) => wideComments(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('begins no comment with a relative clause where a noun or a verb belongs', () => {
    expect(sourceFiles().flatMap((file) => relativeOpenings(file, readFileSync(join(ROOT, file), 'utf8')))).toEqual([]);
  });

  it('asks for the size of a test run in one place', () => {
    const asking = execFileSync('git', ['grep', '-l', "env\\['GONDOLA_LONG'\\]", '--', '*.ts', '*.js'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    expect(asking.trim().split('\n')).toEqual(['jest.config.js', 'packages/local-stack/src/testing/sized.ts']);
  });

  it('takes the globals of Jest in suites alone: a helper stays loaded for the next suite, with those of the first', () => {
    const names = ['grep', '-lE', "^(import|export) .*from '@jest/globals'", '--', '*.ts'];
    const taking = execFileSync('git', names, { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
    expect(taking.filter((file) => !file.endsWith('.spec.ts'))).toEqual([]);
  });

  it.each([`/** ${'x'.repeat(MAX_COLUMNS)}`, ` * ${'x'.repeat(MAX_COLUMNS)}`, `  // ${'x'.repeat(MAX_COLUMNS)}`])(
    'finds a wide comment: %.8s',
    (line) => {
      expect(wideComments('a.ts', `const a = 1;\n${line}`)).toEqual([`a.ts:2: ${line.length} columns`]);
    },
  );

  it('finds a comment that begins with a relative clause', () => {
    // Behind a placeholder, so that this file itself has none.
    const texts = [
      '/*_* What is stored. */',
      '/*_*\n * Of the rows one.\n */',
      '/_/ Whose it is.',
      '/_/ It is\n/_/ What else.',
    ].map((text) => text.replaceAll('_', ''));
    expect(texts.map((text) => relativeOpenings('a.ts', text).length)).toEqual([1, 1, 1, 0]);
  });
});

function sourceFiles(): string[] {
  return execFileSync('git', ['ls-files', '*.ts', '*.js'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n');
}

/** Comments that begin with a relative clause, as `file: opening`. */
function relativeOpenings(file: string, text: string): string[] {
  const openings =
    /(?:\/\*\*\s*(?:\n\s*\*\s*)?|(?<!\/\/.*\n\s*)\/\/ )(?:What|Of (?:the|an?)|Whoever|Whose|So many|All that)\b.*/g;
  return Array.from(text.matchAll(openings), ([opening]) => `${file}: ${opening}`);
}

/** Comment lines over the limit, as `file:line: columns`. */
function wideComments(file: string, text: string): string[] {
  return text.split('\n').flatMap((line, index) => {
    const columns = line.length;
    const isWide = columns > MAX_COLUMNS && /^\s*(\/\*|\*|\/\/)/.test(line);
    return isWide ? [`${file}:${index + 1}: ${columns} columns`] : [];
  });
}
