import { basename } from 'node:path';
import { rowsOfConformance } from './support/conformance-rows.ts';

/** The part of Jest's results that counts here. */
interface Results {
  readonly testResults: readonly {
    readonly testFilePath: string;
    readonly testResults: readonly { readonly title: string; readonly status: string }[];
  }[];
}

/**
 * Fails a run of Jest in which a suite ran, but not a test of it that CONFORMANCE.md names: one that is skipped, or
 * that another `only` leaves out. A run of some tests by their name is not judged.
 */
export default class ConformanceReporter {
  private readonly isOfSomeTests: boolean;
  private error: Error | undefined;

  constructor({ testNamePattern = '' }: { readonly testNamePattern?: string | undefined }) {
    this.isOfSomeTests = testNamePattern !== '';
  }

  onRunComplete(_contexts: unknown, { testResults }: Results): void {
    if (this.isOfSomeTests) return;
    const ran = new Map(testResults.map((suite) => [basename(suite.testFilePath).split('.')[0], suite.testResults]));
    const missing = rowsOfConformance().filter(({ suite, test }) => {
      const name = patternOf(test);
      return ran.get(suite)?.every(({ title, status }) => !name.test(title) || status !== 'passed');
    });
    if (missing.length === 0) return;
    const lines = missing.map(({ suite, test, statement }) => `${suite}: ${test} (${statement})`);
    this.error = new Error(`CONFORMANCE.md names tests that did not pass:\n${lines.join('\n')}`);
    process.stderr.write(`${this.error.message}\n`);
  }

  /** An error fails the run; Jest does not print it. */
  getLastError(): Error | undefined {
    return this.error;
  }
}

/** Matches the names that Jest makes of a test's name and the values of its cases. */
function patternOf(title: string): RegExp {
  const fixed = title.split(/%[a-z]/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
  return new RegExp(`^${fixed.join('.*')}$`, 's');
}
