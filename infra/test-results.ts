/** What Jest writes with `--json`, as far as it is read here. */
export interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  /** Suites that did not even run: a syntax error, a missing module, a crash of the worker. */
  numRuntimeErrorTestSuites: number;
}

export interface WorkspaceResults {
  workspace: string;
  hasSpecs: boolean;
  /** Undefined when Jest left none that can be read. */
  results: JestResults | undefined;
}

export interface TestTotal {
  passed: number;
  failed: number;
  skipped: number;
  /** Why the run is not a success, one sentence each; empty when it is. */
  complaints: string[];
}

type Counts = Pick<TestTotal, 'passed' | 'failed' | 'skipped'>;

/** Sums what the workspaces' Jest runs left. A suite that failed to run counts as one failed test. */
export function sumResults(workspaces: WorkspaceResults[]): TestTotal {
  const total: TestTotal = { passed: 0, failed: 0, skipped: 0, complaints: [] };
  for (const { workspace, hasSpecs, results } of workspaces) {
    if (!results) {
      if (hasSpecs) total.complaints.push(`${workspace} has specs and left no results`);
      continue;
    }
    const { passed, failed, skipped } = countsOf(results);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
    if (failed > 0) total.complaints.push(`${workspace} has failed tests`);
  }
  if (total.passed + total.failed === 0) total.complaints.push('No test was run');
  return total;
}

/** The last line of a test run: `12 passed, 0 failed`, and `, 3 skipped` if any were. */
export function describeTotal({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

export function describeWorkspace({ workspace, results }: WorkspaceResults): string {
  return `${workspace}: ${results ? describeTotal(countsOf(results)) : 'no results'}`;
}

function countsOf(results: JestResults): Counts {
  return {
    passed: results.numPassedTests,
    failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
    skipped: results.numPendingTests + results.numTodoTests,
  };
}

/** Undefined for anything but complete Jest results: half a file is none. */
export function parseResults(text: string): JestResults | undefined {
  try {
    const json = JSON.parse(text) as Partial<JestResults>;
    const { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites } = json;
    const results = { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numRuntimeErrorTestSuites };
    return Object.values(results).every(Number.isInteger) ? (results as JestResults) : undefined;
  } catch {
    return undefined;
  }
}
