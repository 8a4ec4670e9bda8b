export interface TestPlan {
  /** GONDOLA_LONG=1: only long suites and those that use `sized`, with their larger sizes. */
  long: boolean;
  turboArgs: string[];
  jestWorkers: number;
}

const WORKERS_PER_WORKSPACE = 2;
/** Suites wait for servers about half of their time, so two workers use one core. */
const WORKERS_PER_CORE = 2;

/**
 * Plans turbo's run from the command line (`[--long] [turbo's own options] [-- Jest's own]`), the number of cores,
 * and whether a CI runs it. As many workspaces as cores run in parallel, each with two Jest workers, so that one
 * uses the time in which another waits for its last suite.
 */
export function planTests(args: string[], { cores, ci }: { cores: number; ci: boolean }): TestPlan {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end);
  const concurrency = Math.max(1, Math.floor((cores * WORKERS_PER_CORE) / WORKERS_PER_WORKSPACE));
  const logs = ci ? ['--output-logs=full', '--log-order=grouped'] : ['--output-logs=errors-only'];
  return {
    long: own.includes('--long'),
    turboArgs: [
      'run',
      'test',
      `--concurrency=${concurrency}`,
      '--continue=dependencies-successful',
      ...logs,
      ...own.filter((arg) => arg !== '--long'),
      ...args.slice(end),
    ],
    jestWorkers: WORKERS_PER_WORKSPACE,
  };
}
