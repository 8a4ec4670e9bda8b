/** What the process ends with; documented in the README and in `gondola --help`. */
export const EXIT = {
  done: 0,
  /** The app said no, or what was asked could not be done. */
  failed: 1,
  /** The command line or the environment is wrong; nothing was called. */
  usage: 2,
  /** No answer: not running, another address, or too slow. */
  unreachable: 3,
  /** The operations token is missing or another one. */
  unauthorized: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
