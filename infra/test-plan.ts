export interface TestPlan {
  /** GONDOLA_LONG=1: only long suites and those that use `sized`, with their larger sizes. */
  long: boolean;
  turboArgs: string[];
  jestWorkers: number;
}

/**
 * Plans turbo's run from the command line (`[--long] [turbo's own options] [-- Jest's own]`), the number of cores,
 * and whether a CI runs it. Suites wait for servers about half of their time: as many workspaces as cores run in
 * parallel, each with two Jest workers. A long suite has up to seven processes, which use a core: a workspace
 * runs one at a time, and one workspace more than there are cores uses the time in which the others wait.
 */
export function planTests(args: string[], { cores, ci }: { cores: number; ci: boolean }): TestPlan {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end);
  const long = own.includes('--long');
  const logs = ci ? ['--output-logs=full', '--log-order=grouped'] : ['--output-logs=errors-only'];
  return {
    long,
    turboArgs: [
      'run',
      'test',
      `--concurrency=${long ? cores + 1 : cores}`,
      '--continue=dependencies-successful',
      ...logs,
      ...own.filter((arg) => arg !== '--long'),
      ...args.slice(end),
    ],
    jestWorkers: long ? 1 : 2,
  };
}
