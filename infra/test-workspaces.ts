import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { suitesIn } from './suites.ts';
import { parseResults, type WorkspaceResults } from './test-results.ts';

export interface TestWorkspace {
  name: string;
  folder: string;
}

/**
 * Workspaces whose tests a turbo command line would run. Undefined if turbo refuses the command line; turbo has
 * then printed the reason.
 */
export function selectedWorkspaces(root: string, turbo: string, turboArgs: string[]): TestWorkspace[] | undefined {
  const end = turboArgs.includes('--') ? turboArgs.indexOf('--') : turboArgs.length;
  const args = [...turboArgs.slice(0, end), '--dry=json'];
  const { status, stdout } = spawnSync(turbo, args, {
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

/** Results that a workspace's Jest left, of a normal run or of a long one. */
export function readResults({ name, folder }: TestWorkspace, run: { long: boolean }): WorkspaceResults {
  const hasSpecs = suitesIn(folder, run).length > 0;
  return { workspace: name, hasSpecs, results: parseResults(readText(resultsFile(folder))) };
}

function resultsFile(folder: string): string {
  return join(folder, 'test-results', 'results.json');
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
