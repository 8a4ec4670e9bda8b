import { describe, expect, it } from '@jest/globals';
import { planTests } from './test-plan.ts';

const concurrency = (cores: number) =>
  planTests([], { cores, ci: false }).turboArgs.find((arg) => arg.startsWith('--concurrency'));

describe('the plan of a test run', () => {
  it('keeps turbo’s options and Jest’s apart and takes --long for itself', () => {
    const plan = planTests(['--long', '--filter=@gondola/shared', '--', '-t', 'money', '--long'], {
      cores: 4,
      ci: false,
    });
    expect(plan.long).toBe(true);
    expect(plan.turboArgs.slice(-5)).toEqual(['--filter=@gondola/shared', '--', '-t', 'money', '--long']);
  });

  it('runs at most as many workspaces at a time as the cores allow', () => {
    expect([1, 2, 4, 8].map(concurrency)).toEqual([
      '--concurrency=1',
      '--concurrency=2',
      '--concurrency=4',
      '--concurrency=8',
    ]);
  });

  it('shows every package’s output on CI, and only failures’ elsewhere', () => {
    expect(planTests([], { cores: 4, ci: true }).turboArgs).toContain('--output-logs=full');
    expect(planTests([], { cores: 4, ci: false }).turboArgs).toContain('--output-logs=errors-only');
  });
});
