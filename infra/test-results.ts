import { basename } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

/** Fields of Jest's `--json` output that are used here. */
export interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Suites that did not run: a syntax error, a missing module, a crash of the worker. */
  numRuntimeErrorTestSuites: number;
  failures: TestFailure[];
}

interface TestFailure {
  file: string;
  /** Names of the describes and the test; empty for a suite that did not run. */
  test: string;
  message: string;
}

/** Results of a workspace, or of one suite of a long run. */
export interface PartResults {
  name: string;
  hasSpecs: boolean;
  /** Undefined if Jest left no readable results. */
  results: JestResults | undefined;
}

export interface TestTotal {
  passed: number;
  failed: number;
  skipped: number;
  /** Reasons why the run failed, one sentence each; empty for a successful run. */
  complaints: string[];
}

type Counts = Pick<TestTotal, 'passed' | 'failed' | 'skipped'>;

/** Sums the results of a run's parts. A suite that failed to run counts as one failed test. */
export function sumResults(parts: PartResults[]): TestTotal {
  const total: TestTotal = { passed: 0, failed: 0, skipped: 0, complaints: [] };
  for (const { name, hasSpecs, results } of parts) {
    if (!results) {
      if (hasSpecs) total.complaints.push(`${name} has specs and left no results`);
      continue;
    }
    const { passed, failed, skipped } = countsOf(results);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    if (failed > 0) total.complaints.push(`${name} has failed tests`);
    total.complaints.push(...results.failures.map((failure) => describeFailure(name, failure)));
  }
  if (total.passed + total.failed === 0) total.complaints.push('No test was run');
  return total;
}

/** Last line of a test run: `12 passed, 0 failed`, and `, 3 skipped` if any were skipped. */
export function describeTotal({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function describePart({ name, results }: PartResults): string {
  return `${name}: ${results ? describeTotal(countsOf(results)) : 'no results'}`;
}

const MESSAGE_LINES = 20;

/** Starts with `FAILED`, so that it can be found in a long log; colours are removed. */
function describeFailure(part: string, { file, test, message }: TestFailure): string {
  const lines = stripVTControlCharacters(message).split('\n').slice(0, MESSAGE_LINES);
  return [`FAILED ${part} ${[basename(file), test].filter(Boolean).join(' › ')}`, ...lines].join('\n    ');
}

function countsOf(results: JestResults): Counts {
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** Undefined unless the text holds complete Jest results. */
export function parseResults(text: string): JestResults | undefined {
  try {
    const json = JSON.parse(text) as Partial<JestResults> & { testResults?: JestSuite[] };
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = json;
    const counts = { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites };
    if (!Object.values(counts).every(Number.isInteger)) return undefined;
    return { ...(counts as JestResults), failures: (json.testResults ?? []).flatMap(failuresOf) };
  } catch {
    return undefined;
  }
}

/** One test file in Jest's output. */
interface JestSuite {
  name: string;
  status: string;
  message: string;
  assertionResults: { fullName: string; status: string; failureMessages: string[] }[];
}

function failuresOf({ name: file, status, message, assertionResults }: JestSuite): TestFailure[] {
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && failed.length === 0) return [{ file, test: '', message }];
  return failed.map(({ fullName, failureMessages }) => ({ file, test: fullName, message: failureMessages.join('\n') }));
}
