import { describe, expect, it } from '@jest/globals';
import { describeTotal, describePart, type JestResults, parseResults, sumResults } from './test-results.ts';

const none: JestResults = {
  numPassedTests: 0,
  numFailedTests: 0,
  numPendingTests: 0,
  numTodoTests: 0,
  numRuntimeErrorTestSuites: 0,
  failures: [],
};
const workspace = (results: Partial<JestResults> | undefined, hasSpecs = true) => ({
  name: '@gondola/shared',
  hasSpecs,
  results: results && { ...none, ...results },
});

describe('the sum of the workspaces’ test results', () => {
  it('adds up the workspaces', () => {
    const total = sumResults([workspace({ numPassedTests: 3 }), workspace({ numPassedTests: 4, numPendingTests: 1 })]);
    expect(total).toEqual({ passed: 7, failed: 0, skipped: 1, complaints: [] });
  });

  it('counts a suite that failed to run as failed', () => {
    const total = sumResults([workspace({ numPassedTests: 3, numRuntimeErrorTestSuites: 2 })]);
    expect(total).toMatchObject({ passed: 3, failed: 2, complaints: ['@gondola/shared has failed tests'] });
  });

  it('names each failed test with the beginning of its message', () => {
    const failure = {
      file: '/x/money.unit.spec.ts',
      test: 'money is exact',
      message: '\u001b[31mExpected 1\u001b[39m\nReceived 2',
    };
    expect(sumResults([workspace({ numFailedTests: 1, failures: [failure] })]).complaints).toEqual([
      '@gondola/shared has failed tests',
      'FAILED @gondola/shared money.unit.spec.ts › money is exact\n    Expected 1\n    Received 2',
    ]);
  });

  it('complains of a workspace with specs that left no results', () => {
    const total = sumResults([workspace({ numPassedTests: 3 }), workspace(undefined)]);
    expect(total.complaints).toEqual(['@gondola/shared has specs and left no results']);
  });

  it('lets a workspace without specs leave none', () => {
    expect(sumResults([workspace({ numPassedTests: 3 }), workspace(undefined, false)]).complaints).toEqual([]);
  });

  it('complains when nothing was run, or everything was skipped', () => {
    expect(sumResults([]).complaints).toEqual(['No test was run']);
    expect(sumResults([workspace({ numPendingTests: 5 })]).complaints).toEqual(['No test was run']);
  });

  it('ends in one line, which names skipped tests only if there are any', () => {
    const total = { passed: 12, failed: 0, skipped: 0, complaints: [] };
    expect(describeTotal(total)).toBe('12 passed, 0 failed');
    expect(describeTotal({ ...total, failed: 2, skipped: 3 })).toBe('12 passed, 2 failed, 3 skipped');
  });
});

describe('the line of one workspace', () => {
  it('counts as the total does', () => {
    const results = {
      numPassedTests: 3,
      numFailedTests: 1,
      numRuntimeErrorTestSuites: 1,
      numPendingTests: 2,
      numTodoTests: 1,
      failures: [],
    };
    expect(describePart(workspace(results))).toBe('@gondola/shared: 3 passed, 2 failed, 3 skipped');
    expect(describePart(workspace(undefined))).toBe('@gondola/shared: no results');
  });
});

describe('Jest’s results file', () => {
  it('is read when it is whole', () => {
    expect(parseResults(JSON.stringify({ ...none, numPassedTests: 5, success: true }))).toEqual({
      ...none,
      numPassedTests: 5,
    });
  });

  it('lists failed tests, and suites that did not run', () => {
    const passed = { fullName: 'a', status: 'passed', failureMessages: [] };
    const failed = { fullName: 'b', status: 'failed', failureMessages: ['no'] };
    const testResults = [
      { name: '/x/a.spec.ts', status: 'failed', message: 'all', assertionResults: [passed, failed] },
      { name: '/x/b.spec.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      { name: '/x/c.spec.ts', status: 'passed', message: '', assertionResults: [passed] },
    ];
    expect(parseResults(JSON.stringify({ ...none, testResults }))?.failures).toEqual([
      { file: '/x/a.spec.ts', test: 'b', message: 'no' },
      { file: '/x/b.spec.ts', test: '', message: 'no such module' },
    ]);
  });

  it('is no result when it is missing, cut short or something else', () => {
    for (const text of ['', '{"numPassedTests":1', '{"numPassedTests":1}', 'null'])
      expect(parseResults(text)).toBeUndefined();
  });
});
