import { describe, expect, it } from '@jest/globals';
import { planTests } from './test-plan.ts';

function parallel(args: string[], cores: number): string {
  const { turboArgs, jestWorkers } = planTests(args, { cores, ci: false });
  return `${turboArgs.find((arg) => arg.startsWith('--concurrency'))} with ${jestWorkers}`;
}

describe('the plan of a test run', () => {
  it('keeps turbo’s options and Jest’s apart and takes --long for itself', () => {
    const plan = planTests(['--long', '--filter=@gondola/shared', '--', '-t', 'money', '--long'], {
      cores: 4,
      ci: false,
    });
    expect(plan.long).toBe(true);
    expect(plan.turboArgs.slice(-5)).toEqual(['--filter=@gondola/shared', '--', '-t', 'money', '--long']);
  });

  it('runs as many workspaces as there are cores, each with two suites at a time', () => {
    expect([1, 2, 8].map((cores) => parallel([], cores))).toEqual([
      '--concurrency=1 with 2',
      '--concurrency=2 with 2',
      '--concurrency=8 with 2',
    ]);
  });

  it('runs long suites one at a time in one workspace more than there are cores', () => {
    expect([1, 2, 8].map((cores) => parallel(['--long'], cores))).toEqual([
      '--concurrency=2 with 1',
      '--concurrency=3 with 1',
      '--concurrency=9 with 1',
    ]);
  });

  it('shows every package’s output on CI, and only failures’ elsewhere', () => {
    expect(planTests([], { cores: 4, ci: true }).turboArgs).toContain('--output-logs=full');
    expect(planTests([], { cores: 4, ci: false }).turboArgs).toContain('--output-logs=errors-only');
  });
});
