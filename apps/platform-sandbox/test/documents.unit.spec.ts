import { globSync, readFileSync } from 'node:fs';
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
  const [path] = globSync(`test/${name}.{e2e,long}.spec.ts`, { cwd: FOLDER });
  if (path === undefined) throw new Error(`There is no suite test/${name}`);
  return read(path);
}

describe('the documents of the sandbox', () => {
  it('name an existing test for each statement', () => {
    const rows = read('STATEMENTS.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| statement'))
      .map((line) => line.slice(2, -2).split(' | '));
    expect(rows.length).toBeGreaterThan(100);
    for (const [statement, suite = '', test = ''] of rows) {
      const source = suiteText(suite.replaceAll('`', ''));
      expect([statement, test, source.includes(test)]).toEqual([statement, test, true]);
    }
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
