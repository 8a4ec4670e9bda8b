import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { terminateWithUs } from '@gondola/local-stack/process-supervisor';
import { suitesIn } from './suites.ts';
import type { PartResults } from './test-results.ts';
import { readResultsFile, type TestWorkspace } from './test-workspaces.ts';

const ROOT = join(import.meta.dirname, '..');
const JEST = join(ROOT, 'node_modules/jest/bin/jest.js');
const NODE_OPTIONS = ['--disable-warning=ExperimentalWarning'];

/** Suites that take more than two minutes on two cores: started first, so that none of them runs alone at the end. */
export const LONGEST: readonly string[] = [
  '@gondola/demo whole-day/whole-day.e2e.spec.ts',
  '@gondola/platform-sandbox test/chaos.long.spec.ts',
  '@gondola/demo broken-parts/broken-parts.long.spec.ts',
  '@gondola/demo lost-notifications.long.spec.ts',
  '@gondola/demo rolling/rolling.long.spec.ts',
  '@gondola/demo restored.long.spec.ts',
  '@gondola/webhook-ingest test/killed-under-load.long.spec.ts',
  '@gondola/file-gateway test/worker-killed.long.spec.ts',
];

/** Suites that compare times: each has the machine for itself, after all others. */
export const ALONE: readonly string[] = ['@gondola/demo strangers/strangers-day.long.spec.ts'];

export interface LongSuite {
  /** Its workspace, and its path in the workspace's folder. */
  readonly name: string;
  readonly folder: string;
  readonly path: string;
}

export interface EndedSuite extends PartResults {
  readonly seconds: number;
  readonly exitCode: number;
  /** Jest's output. */
  readonly output: string;
}

/** The suites of a long run, in the order in which they start. */
export function longSuites(workspaces: readonly TestWorkspace[]): LongSuite[] {
  const suites = workspaces.flatMap(({ name, folder }) =>
    suitesIn(folder, { long: true }).map((path) => ({ name: `${name} ${path}`, folder, path })),
  );
  const place = ({ name }: LongSuite): number => {
    if (ALONE.includes(name)) return LONGEST.length + 1;
    return LONGEST.includes(name) ? LONGEST.indexOf(name) : LONGEST.length;
  };
  return suites.toSorted((one, other) => place(one) - place(other));
}

export interface LongRun {
  readonly atOnce: number;
  readonly jestArgs: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly onEnd: (suite: EndedSuite) => void;
}

/**
 * Runs each suite in a Jest process of its own, so that a place that becomes free takes the next suite of any
 * workspace; those of `ALONE` one by one once all others have ended. After a SIGINT (which the terminal sends to the
 * suites, too) or a SIGTERM, no further suite starts.
 */
export async function runLongSuites(suites: readonly LongSuite[], run: LongRun): Promise<void> {
  const waiting = suites.filter(({ name }) => !ALONE.includes(name));
  const alone = suites.filter(({ name }) => ALONE.includes(name));
  const running = new Set<ChildProcess>();
  const beginNone = (): void => {
    waiting.splice(0);
    alone.splice(0);
  };
  process.on('SIGINT', beginNone);
  process.on('SIGTERM', () => {
    beginNone();
    for (const jest of running) jest.kill('SIGTERM');
  });
  const place = async (left: LongSuite[]): Promise<void> => {
    for (let suite = left.shift(); suite !== undefined; suite = left.shift()) {
      run.onEnd(await runSuite(suite, run, running));
    }
  };
  await Promise.all(Array.from({ length: run.atOnce }, () => place(waiting)));
  await place(alone);
}

async function runSuite(suite: LongSuite, run: LongRun, running: Set<ChildProcess>): Promise<EndedSuite> {
  const { name, folder, path } = suite;
  const results = join(folder, 'test-results', `${path.replaceAll('/', '-')}.json`);
  mkdirSync(join(folder, 'test-results'), { recursive: true });
  rmSync(results, { force: true });
  const startedAt = performance.now();
  const args = [...NODE_OPTIONS, JEST, ...optionsOf(path, results), ...run.jestArgs];
  const jest = spawn(process.execPath, args, {
    cwd: folder,
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(jest);
  terminateWithUs(jest);
  const { promise: ended, resolve, reject } = Promise.withResolvers<number>();
  jest.once('error', reject);
  jest.once('exit', (code) => resolve(code ?? 1));
  const [exitCode, ...output] = await Promise.all([ended, text(jest.stdout), text(jest.stderr)]);
  running.delete(jest);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  return { name, hasSpecs: true, results: readResultsFile(results), seconds, exitCode, output: output.join('') };
}

function optionsOf(path: string, results: string): string[] {
  return [
    '--config',
    join(ROOT, 'jest.config.js'),
    '--rootDir=.',
    // Without a worker, which would outlive a Jest that gets a signal; and whatever a suite leaves open ends with it.
    '--runInBand',
    '--forceExit',
    `--testMatch=**/${path}`,
    '--passWithNoTests',
    '--json',
    `--outputFile=${results}`,
  ];
}
