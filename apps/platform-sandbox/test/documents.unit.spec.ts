import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS } from '../src/faults/fault.ts';
import { DEFAULT_BEHAVIOUR } from '../src/switches/behaviour.ts';

const FOLDER = join(import.meta.dirname, '..');

function read(path: string): string {
  return readFileSync(join(FOLDER, path), 'utf8');
}

describe('what the sandbox says of itself', () => {
  it('each statement names a test that exists', () => {
    const rows = read('STATEMENTS.md')
      .split('\n')
      .filter((line) => line.startsWith('| ') && !line.startsWith('| statement'))
      .map((line) => line.slice(2, -2).split(' | '));
    expect(rows.length).toBeGreaterThan(100);
    for (const [statement, suite = '', test = ''] of rows) {
      const source = read(`test/${suite.replaceAll('`', '')}.e2e.spec.ts`);
      expect([statement, test, source.includes(test)]).toEqual([statement, test, true]);
    }
  });

  it.each(Object.keys(DEFAULT_BEHAVIOUR))(
    'the switch %s stands in the README and in NOT-SHOWN.md, and is tested',
    (name) => {
      const tests = ['switches', 'cancel', 'invoiced', 'prices-and-stock', 'sftp'].map((suite) =>
        read(`test/${suite}.e2e.spec.ts`),
      );
      expect(read('README.md')).toContain(`| \`${name}\` |`);
      expect(read('NOT-SHOWN.md')).toContain(`\`${name}\``);
      expect(tests.join('\n')).toContain(name);
    },
  );

  it.each(FAULT_KINDS)('the fault %s stands in the README, and is tested', (kind) => {
    const tests = ['faults', 'faults-of-gateway-and-payload'].map((suite) => read(`test/${suite}.e2e.spec.ts`));
    expect(read('README.md')).toContain(`\`${kind}\``);
    expect(tests.join('\n')).toContain(kind);
  });
});
