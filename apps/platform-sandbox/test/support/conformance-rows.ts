import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCUMENT = join(import.meta.dirname, '../../CONFORMANCE.md');

/** A statement of the platform's document, where it is implemented, and the test that holds it. */
export interface ConformanceRow {
  readonly statement: string;
  /** Path below `src/`, and functions or constants in that file. */
  readonly file: string;
  readonly names: readonly string[];
  /** Name of the suite's file, without its endings. */
  readonly suite: string;
  /** Name of the test as its suite writes it, `%s` for the values of each case. */
  readonly test: string;
}

/** Rows of CONFORMANCE.md, without the statements that are not kept. */
export function rowsOfConformance(): ConformanceRow[] {
  const [kept = ''] = readFileSync(DOCUMENT, 'utf8').split('\n## Not kept\n');
  const lines = kept.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| statement'));
  return lines.map((line) => {
    const [statement = '', where = '', suite = '', test = ''] = line.slice(2, -2).split(' | ');
    const [file = '', ...names] = where.replaceAll('`', '').split(' ');
    return { statement, file, names, suite: suite.replaceAll('`', ''), test };
  });
}
