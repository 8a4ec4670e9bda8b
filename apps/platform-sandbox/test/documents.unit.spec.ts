import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../src/faults/fault.ts';
import { DEFAULT_BEHAVIOUR } from '../src/switches/behaviour.ts';
import { rowsOfConformance } from './support/conformance-rows.ts';

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

/** True if the suite has a test of this name. `conformance.reporter.ts` sees to it that the test ran. */
function hasTest(source: string, title: string): boolean {
  const calls = ["'", '"', '`'].flatMap((quote) => ['it(', ')('].map((call) => `${call}${quote}${title}${quote},`));
  return calls.some((call) => source.includes(call));
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

  it('name for each statement a test that exists', () => {
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
    const tests = ['faults', 'faults-of-gateway-and-payload', 'faults-of-the-world'].map(suiteText);
    expect(read('README.md')).toContain(`\`${kind}\``);
    expect(tests.join('\n')).toContain(kind);
  });
});
