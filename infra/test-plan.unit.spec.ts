import { describe, expect, it } from '@jest/globals';
import { planTests } from './test-plan.ts';

describe('the plan of a test run', () => {
  it('keeps turbo’s options and Jest’s apart and takes --long for itself', () => {
    const plan = planTests(['--long', '--filter=@gondola/shared', '--', '-t', 'money', '--long'], {
      cores: 4,
      ci: false,
    });
    expect(plan.long).toBe(true);
    expect(plan.turboArgs.at(-1)).toBe('--filter=@gondola/shared');
    expect(plan.turboArgs).not.toContain('--long');
    expect(plan.jestArgs).toEqual(['-t', 'money', '--long']);
  });

  it.each([1, 2, 8])('runs as many workspaces as there are cores, each with two suites at a time (%i)', (cores) => {
    const { turboArgs, jestWorkers } = planTests([], { cores, ci: false });
    expect(turboArgs).toContain(`--concurrency=${cores}`);
    expect(jestWorkers).toBe(2);
  });

  it.each([1, 2, 8])('runs two long suites more at a time than there are cores (%i)', (cores) => {
    expect(planTests(['--long'], { cores, ci: false }).longSuites).toBe(cores + 2);
  });

  it('shows all output on CI, and only failures’ elsewhere', () => {
    expect(planTests([], { cores: 4, ci: true }).turboArgs).toContain('--output-logs=full');
    expect(planTests([], { cores: 4, ci: false }).turboArgs).toContain('--output-logs=errors-only');
    expect([true, false].map((ci) => planTests([], { cores: 4, ci }).showsAllOutput)).toEqual([true, false]);
  });
});
