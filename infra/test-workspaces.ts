import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suitesIn } from './suites.ts';
import { type JestResults, parseResults, type PartResults } from './test-results.ts';

export interface TestWorkspace {
  name: string;
  folder: string;
}

/**
 * Workspaces whose tests a turbo command line would run. Undefined if turbo refuses the command line; turbo has
 * then printed the reason.
 */
export function selectedWorkspaces(root: string, turbo: string, turboArgs: string[]): TestWorkspace[] | undefined {
  const { status, stdout } = spawnSync(turbo, [...turboArgs, '--dry=json'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) return undefined;
  const { tasks } = JSON.parse(stdout) as {
    tasks: { task: string; package: string; directory: string; command: string }[];
  };
  return tasks
    .filter(({ task, command }) => task === 'test' && command !== '<NONEXISTENT>')
    .map((task) => ({ name: task.package, folder: join(root, task.directory) }));
}

/** True if tests of these workspaces start apps as users do, from their `dist`. */
export function useBuiltApps(workspaces: TestWorkspace[]): boolean {
  return workspaces.some(({ name }) => name === '@gondola/cli' || name === '@gondola/demo');
}

/** Deletes the results of an earlier run, so that they are not mistaken for those of this run. */
export function removeResults(workspaces: TestWorkspace[]): void {
  for (const { folder } of workspaces) rmSync(resultsFile(folder), { force: true });
}

/** Results that a workspace's Jest left of a normal run. */
export function readResults({ name, folder }: TestWorkspace): PartResults {
  const hasSpecs = suitesIn(folder, { long: false }).length > 0;
  return { name, hasSpecs, results: readResultsFile(resultsFile(folder)) };
}

function resultsFile(folder: string): string {
  return join(folder, 'test-results', 'results.json');
}

/** Undefined if Jest left no readable results. */
export function readResultsFile(file: string): JestResults | undefined {
  return existsSync(file) ? parseResults(readFileSync(file, 'utf8')) : undefined;
}
