/**
 * `npm test`: one real Kafka and PostgreSQL for all workspaces, every workspace's Jest under turbo, and one line
 * with the totals. Options: --long, turbo's own (--filter=@gondola/messaging, --force), and after `--` Jest's own.
 * A stack that GONDOLA_TEST_STACK names is used and left running.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { startLocalStack } from '@gondola/local-stack/local-stack';
import { terminateWithUs } from '@gondola/local-stack/process-supervisor';
import { TEST_STACK_VARIABLE, type TestStack, testStack } from '@gondola/local-stack/test-stack';
import { endOnLocalStackError } from './local-stack-failure.ts';
import { planTests } from './test-plan.ts';
import { describeTotal, describeWorkspace, sumResults } from './test-results.ts';
import { readResults, removeResults, selectedWorkspaces, useBuiltApps } from './test-workspaces.ts';

const root = join(import.meta.dirname, '..');
const turbo = join(root, 'node_modules', '.bin', 'turbo');
const plan = planTests(process.argv.slice(2), { cores: availableParallelism(), ci: Boolean(process.env['CI']) });
const say = (line: string) => process.stdout.write(`${line}\n`);

process.exitCode = await main().catch(endOnLocalStackError);

async function main(): Promise<number> {
  const workspaces = selectedWorkspaces(root, turbo, plan.turboArgs);
  if (!workspaces) return 1;
  removeResults(workspaces);
  const [stack, built] = await Promise.all([theStack(), useBuiltApps(workspaces) ? build() : 0]);
  let exitCode: number;
  try {
    exitCode = built || (await runTests({ kafkaBrokers: stack.kafkaBrokers, databaseUrl: stack.databaseUrl }));
  } finally {
    await stack.stop();
  }
  const results = workspaces.map((workspace) => readResults(workspace, plan));
  for (const workspace of results) say(describeWorkspace(workspace));
  const total = sumResults(results);
  for (const complaint of total.complaints) say(complaint);
  say(describeTotal(total));
  return exitCode || (total.complaints.length > 0 ? 1 : 0);
}

async function theStack(): Promise<TestStack & { stop(): Promise<void> }> {
  if (process.env[TEST_STACK_VARIABLE]) return { ...testStack(), stop: async () => {} };
  return await startLocalStack({ onProgress: say });
}

/** Before the tests, and not by turbo among them, where builds would wait for the tests of other workspaces. */
function build(): Promise<number> {
  return runTurbo(['run', 'build', '--output-logs=errors-only'], process.env);
}

function runTests(stack: TestStack): Promise<number> {
  return runTurbo(plan.turboArgs, {
    ...process.env,
    [TEST_STACK_VARIABLE]: JSON.stringify(stack),
    JEST_WORKERS: String(plan.jestWorkers),
    ...(plan.long ? { GONDOLA_LONG: '1' } : {}),
  });
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
