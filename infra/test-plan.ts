export interface TestPlan {
  /** GONDOLA_LONG=1: only the suites that use `sized`, with their larger sizes. */
  long: boolean;
  turboArgs: string[];
  jestWorkers: number;
}

const WORKERS_PER_WORKSPACE = 2;
/** Suites wait for servers about half of their time: it takes two workers to use a core. */
const WORKERS_PER_CORE = 2;

/**
 * From the command line (`[--long] [turbo's own options] [-- Jest's own]`), the machine's cores, and whether a CI runs
 * us: what to hand to turbo. As many workspaces as cores run at a time, each with two Jest workers: one fills what the
 * last suite of another leaves idle.
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
