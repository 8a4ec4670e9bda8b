import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { type CitedDocuments, deadCitations, headingsOf, numbersOf } from './testing/citations.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const rulesHeadings = headingsOf(read('docs/rules.md'));
const documents: CitedDocuments = {
  contract: new Set(headingsOf(read('docs/contract.md'))),
  platform: new Set(headingsOf(read('docs/platform.md'))),
  rules: numbersOf(rulesHeadings, 'Rule'),
  guarantees: numbersOf(rulesHeadings, 'Guarantee'),
};
/** Files that hold wrong citations on purpose. */
const EXCEPT = new Set(['infra/testing/citations.ts', 'infra/citations.unit.spec.ts']);

describe('a citation', () => {
  it('leads to a rule, a guarantee or a section of the documents in this repository', () => {
    const files = tracked('*.ts', '*.js', '*.md', '*.yml', '*.yaml').filter((file) => !EXCEPT.has(file));
    expect(files.flatMap((file) => deadCitations(file, read(file), documents))).toEqual([]);
  });

  it.each([
    ['(rule 38)', 'a.ts:1: docs/rules.md has no rule 38'],
    ['x\n(rules 1, 2 and 99)', 'a.ts:2: docs/rules.md has no rule 99'],
    ['(guarantee 7)', 'a.ts:1: docs/rules.md has no guarantee 7'],
    ['(contract, "Nowhere")', 'a.ts:1: docs/contract.md has no section "Nowhere"'],
    ['(docs/platform.md, "Nowhere")', 'a.ts:1: docs/platform.md has no section "Nowhere"'],
    ['(docs/platform.md,\n * "Nowhere")', 'a.ts:1: docs/platform.md has no section "Nowhere"'],
    ['(contract, "No\n * where")', 'a.ts:1: docs/contract.md has no section "No where"'],
    ['see design.md', 'a.ts:1: design.md is not in this repository'],
  ])('of nothing is found: %j', (text, sentence) => {
    expect(deadCitations('a.ts', text, documents)).toEqual([sentence]);
  });
});

describe('a README of a package', () => {
  it.each(tracked('packages/*/README.md'))('names files and folders that are there: %s', (readme) => {
    const folder = readme.slice(0, readme.lastIndexOf('/') + 1);
    const parts = tracked(`${folder}*`).flatMap((file) => file.split('/'));
    const names = new Set(parts.map((part) => part.split('.')[0]));
    const rows = [...read(readme).matchAll(/^\| ((?:`[\w./*-]+`(?:, )?)+) \|/gm)].map(([, cell]) => cell!);
    const named = rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!));
    const wanted = named.map(
      (name) =>
        name
          .split('/')
          .findLast((part) => part !== '')!
          .split('.')[0],
    );
    expect(wanted.filter((name) => name !== '*' && !names.has(name))).toEqual([]);
  });
});

describe('docs/rules.md', () => {
  it('defines the rules 1 to 37 and the guarantees 1 to 6', () => {
    expect([...documents.rules]).toEqual(Array.from({ length: 37 }, (_, index) => index + 1));
    expect([...documents.guarantees]).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('names files that exist, and tests that name the rule', () => {
    const problems = sections().flatMap(({ heading, body }) => {
      const files = [...body.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => file!);
      const missing = files.filter((file) => !existsSync(join(root, file)));
      const test = files.find((file) => file.endsWith('.spec.ts'));
      if (missing.length > 0) return [`${heading}: ${missing.join(', ')} does not exist`];
      if (body.includes('*Not built yet.*')) return [];
      if (test === undefined) return [`${heading}: no test`];
      const [, word, number] = /^(Rule|Guarantee) (\d+)/.exec(heading)!;
      const cites = new RegExp(`\\(${word!.toLowerCase()}s? [^)]*\\b${number}\\b`);
      return cites.test(read(test)) ? [] : [`${heading}: ${test} does not name it`];
    });
    expect(problems).toEqual([]);
  });
});

function sections(): { heading: string; body: string }[] {
  return read('docs/rules.md')
    .split(/^### /m)
    .slice(1)
    .map((text) => ({ heading: text.slice(0, text.indexOf('\n')), body: text }));
}

function tracked(...patterns: string[]): string[] {
  return execFileSync('git', ['ls-files', '--', ...patterns], { cwd: root, encoding: 'utf8' })
    .split('\n')
    .filter(Boolean);
}
