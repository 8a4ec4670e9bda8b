/**
 * `npm test`: one real Kafka and PostgreSQL for all workspaces, every workspace's Jest under turbo, and one line
 * with the totals. With `--long`, one queue of the long suites of all workspaces. Further options: turbo's own
 * (--filter=@gondola/lanes, --force), and after `--` Jest's own. A stack that GONDOLA_TEST_STACK names is used
 * and left running.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { terminateWithUs } from '@gondola/local-stack/process-supervisor';
import { TEST_STACK_VARIABLE, type TestStack, testStack } from '@gondola/local-stack/test-stack';
import { endOnLocalStackError } from './local-stack-failure.ts';
import { type EndedSuite, longSuites, runLongSuites } from './long-suites.ts';
import { planTests } from './test-plan.ts';
import { describePart, describeTotal, type PartResults, sumResults } from './test-results.ts';
import { readResults, removeResults, selectedWorkspaces, type TestWorkspace, useBuiltApps } from './test-workspaces.ts';

interface TestRun {
  readonly exitCode: number;
  readonly parts: PartResults[];
}

const root = join(import.meta.dirname, '..');
const turbo = join(root, 'node_modules', '.bin', 'turbo');
const plan = planTests(process.argv.slice(2), { cores: availableParallelism(), ci: Boolean(process.env['CI']) });
const say = (line: string) => process.stdout.write(`${line}\n`);

process.exitCode = await main().catch(endOnLocalStackError);

async function main(): Promise<number> {
  const workspaces = selectedWorkspaces(root, turbo, plan.turboArgs);
  if (!workspaces) return 1;
  const [stack, built] = await Promise.all([theStack(), useBuiltApps(workspaces) ? build() : 0]);
  let run: TestRun = { exitCode: built, parts: [] };
  try {
    const { kafkaBrokers, databaseUrl } = stack;
    const env = { ...process.env, [TEST_STACK_VARIABLE]: JSON.stringify({ kafkaBrokers, databaseUrl }) };
    if (!built) run = await (plan.long ? runLong(workspaces, env) : runNormal(workspaces, env));
  } finally {
    await stack.stop();
  }
  const total = sumResults(run.parts);
  for (const complaint of total.complaints) say(complaint);
  say(describeTotal(total));
  return run.exitCode || (total.complaints.length > 0 ? 1 : 0);
}

async function theStack(): Promise<TestStack & { stop(): Promise<void> }> {
  if (process.env[TEST_STACK_VARIABLE]) return { ...testStack(), stop: async () => {} };
  return await startLocalStack({ onProgress: say });
}

/** Before the tests, and not by turbo among them, where builds would wait for the tests of other workspaces. */
function build(): Promise<number> {
  return runTurbo(['run', 'build', '--output-logs=errors-only'], process.env);
}

async function runNormal(workspaces: TestWorkspace[], env: NodeJS.ProcessEnv): Promise<TestRun> {
  removeResults(workspaces);
  const jestArgs = plan.jestArgs.length > 0 ? ['--', ...plan.jestArgs] : [];
  const args = [...plan.turboArgs, ...jestArgs];
  const exitCode = await runTurbo(args, { ...env, JEST_WORKERS: String(plan.jestWorkers) });
  const parts = workspaces.map((workspace) => readResults(workspace));
  for (const part of parts) say(describePart(part));
  return { exitCode, parts };
}

async function runLong(workspaces: TestWorkspace[], env: NodeJS.ProcessEnv): Promise<TestRun> {
  const ended: EndedSuite[] = [];
  await runLongSuites(longSuites(workspaces), {
    atOnce: plan.longSuites,
    jestArgs: plan.jestArgs,
    env: { ...env, GONDOLA_LONG: '1' },
    onEnd: (suite) => {
      ended.push(suite);
      if (plan.showsAllOutput || suite.exitCode !== 0) say(suite.output);
      if (suite.exitCode !== 0 || hasTests(suite)) say(`${describePart(suite)} (${suite.seconds} s)`);
    },
  });
  return { exitCode: ended.some(({ exitCode }) => exitCode !== 0) ? 1 : 0, parts: ended };
}

/** False if Jest's options chose none of its tests. */
function hasTests({ results }: EndedSuite): boolean {
  return results !== undefined && results.numPassedTests + results.numFailedTests > 0;
}

/**
 * Ctrl-C reaches turbo from the terminal, and a SIGTERM through this process: it only waits, so that the stack
 * outlives the tests.
 */
function runTurbo(args: string[], env: NodeJS.ProcessEnv): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(turbo, args, { cwd: root, env, stdio: 'inherit' });
    process.on('SIGINT', () => {});
    process.on('SIGTERM', () => child.kill('SIGTERM'));
    terminateWithUs(child);
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}
