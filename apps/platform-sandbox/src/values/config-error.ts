/** One problem of the configuration: its variable and the expected form, never the value itself. */
export interface ConfigProblem {
  readonly where: string;
  readonly problem: string;
}

/** All problems of the configuration at once, for a person at a terminal. */
export class ConfigError extends Error {
  constructor(readonly problems: readonly ConfigProblem[]) {
    super(['Invalid configuration:', ...problems.map(({ where, problem }) => `  - ${where}: ${problem}`)].join('\n'));
    this.name = 'ConfigError';
  }
}
