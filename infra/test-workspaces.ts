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
 * The workspaces whose tests a turbo command line would run. Undefined when turbo refuses it, which it then has
 * explained.
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

/** Takes away what an earlier run left, lest it be taken for this run's. */
export function removeResults(workspaces: TestWorkspace[]): void {
  for (const { folder } of workspaces) rmSync(resultsFile(folder), { force: true });
}

/** What a workspace's Jest left of a normal run, or of one of the long suites alone. */
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
