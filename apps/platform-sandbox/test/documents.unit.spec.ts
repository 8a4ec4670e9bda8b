import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../src/faults/fault.ts';
import { DEFAULT_BEHAVIOUR } from '../src/switches/behaviour.ts';

const FOLDER = join(import.meta.dirname, '..');

function read(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8');
}

/** Text of a suite by its name, whether `npm test` runs it or only `npm run test:long`. */
function suiteText(name: string): string {
  const [path] = globSync(`{src/**,test}/${name}.{unit,int,e2e,long}.spec.ts`, { cwd: FOLDER });
  if (path === undefined) throw new Error(`There is no suite ${name}`);
  return read(path);
}

const NOT_RUN = /\b(?:it|describe|test)(?:\.\w+)*\.(?:skip|only|todo|failing)\b|\b[xf](?:it|describe)\b/;

/** True if the suite has a test of this name and runs all its tests. */
function hasTest(source: string, title: string): boolean {
  const calls = ["'", '"', '`'].flatMap((quote) => ['it(', ')('].map((call) => `${call}${quote}${title}${quote},`));
  return !NOT_RUN.test(source) && calls.some((call) => source.includes(call));
}

interface Row {
  readonly statement: string;
  readonly file: string;
  readonly names: readonly string[];
  readonly suite: string;
  readonly test: string;
}

/** Rows of CONFORMANCE.md, without the statements that are not kept. */
function rowsOfConformance(): Row[] {
  const [kept = ''] = read('CONFORMANCE.md').split('\n## Not kept\n');
  const lines = kept.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| statement'));
  return lines.map((line) => {
    const [statement = '', where = '', suite = '', test = ''] = line.slice(2, -2).split(' | ');
    const [file = '', ...names] = where.replaceAll('`', '').split(' ');
    return { statement, file, names, suite: suite.replaceAll('`', ''), test };
  });
}

describe('the documents of the sandbox', () => {
  it('name for each statement a file that implements it, and in it a function or constant', () => {
    const rows = rowsOfConformance();
    expect(rows.length).toBeGreaterThan(400);
    const missing = rows.filter(({ file, names }) => {
      const path = `src/${file}`;
      if (!existsSync(join(FOLDER, path))) return true;
      const source = read(path);
      return names.length === 0 || names.some((name) => !new RegExp(`\\b${name}\\b`).test(source));
    });
    expect(missing).toEqual([]);
  });

  it('name for each statement a test that exists and is run', () => {
    const bySuite = Map.groupBy(rowsOfConformance(), ({ suite }) => suite);
    const missing = [...bySuite].flatMap(([suite, rows]) => {
      const source = suiteText(suite).replaceAll(/\(\s+/g, '(');
      return rows.filter(({ test }) => !hasTest(source, test));
    });
    expect(missing).toEqual([]);
  });

  it.each(Object.keys(DEFAULT_BEHAVIOUR))(
    'name the switch %s in the README and in NOT-SHOWN.md, and a test covers it',
    (name) => {
      const tests = ['switches', 'cancel', 'invoiced', 'prices-and-stock', 'sftp'].map(suiteText);
      expect(read('README.md')).toContain(`| \`${name}\` |`);
      expect(read('NOT-SHOWN.md')).toContain(`\`${name}\``);
      expect(tests.join('\n')).toContain(name);
    },
  );

  it.each(FAULT_KINDS)('name the fault %s in the README, and a test covers it', (kind) => {
    const tests = ['faults', 'faults-of-gateway-and-payload'].map(suiteText);
    expect(read('README.md')).toContain(`\`${kind}\``);
    expect(tests.join('\n')).toContain(kind);
  });
});
