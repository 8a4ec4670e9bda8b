export interface TestPlan {
  /** GONDOLA_LONG=1: only long suites and those that use `sized`, with their larger sizes. */
  long: boolean;
  /** Command line of turbo, without Jest's options. It selects the workspaces, and runs the tests of a normal run. */
  turboArgs: string[];
  jestArgs: string[];
  /** Suites of a workspace at a time in a normal run. */
  jestWorkers: number;
  /** Suites at a time in a long run. */
  longSuites: number;
  showsAllOutput: boolean;
}

/**
 * Plans a run from the command line (`[--long] [turbo's own options] [-- Jest's own]`), the number of cores, and
 * whether a CI runs it. Suites wait for servers about half of their time: as many workspaces as cores run in
 * parallel, each with two Jest workers. A long suite uses half a core on average (counted over fifteen of them), and
 * those with many processes more than one: two suites more than there are cores use the time in which others wait.
 */
export function planTests(args: string[], { cores, ci }: { cores: number; ci: boolean }): TestPlan {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  const own = args.slice(0, end);
  const logs = ci ? ['--output-logs=full', '--log-order=grouped'] : ['--output-logs=errors-only'];
  return {
    long: own.includes('--long'),
    turboArgs: [
      'run',
      'test',
      `--concurrency=${cores}`,
      '--continue=dependencies-successful',
      ...logs,
      ...own.filter((arg) => arg !== '--long'),
    ],
    jestArgs: args.slice(end + 1),
    jestWorkers: 2,
    longSuites: cores + 2,
    showsAllOutput: ci,
  };
}
