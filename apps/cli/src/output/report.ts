/** Exit codes of the process; documented in the README and in `gondola --help`. */
export const EXIT = {
  done: 0,
  /** The app refused, or the command could not be carried out. */
  failed: 1,
  /** The command line or the environment is wrong; no app was called. */
  usage: 2,
  /** No answer: the app is stopped, has another address, or is too slow. */
  unreachable: 3,
  /** The operations token is missing or wrong. */
  unauthorized: 4,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Part of a report for a person. */
export type Block =
  | { kind: 'line'; text: string }
  | { kind: 'table'; table: Table }
  | { kind: 'fields'; fields: ReadonlyArray<readonly [name: string, value: string]> }
  /** Text of others, with several lines. */
  | { kind: 'content'; text: string };

export interface Table {
  readonly headers: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** Column that is cut if the terminal is too narrow. */
  readonly flexible?: number;
}

/** Result of a command: a document for programs (`--json`), blocks for people, notes on standard error for both. */
export interface Report {
  readonly json: unknown;
  readonly blocks: readonly Block[];
  readonly notes: readonly string[];
  readonly exit: ExitCode;
}

/** Report of a command that succeeded. */
export function shown(json: unknown, blocks: readonly Block[], notes: readonly string[] = []): Report {
  return { json, blocks, notes, exit: EXIT.done };
}

/** Report of a command that succeeded, in one sentence. */
export function done(json: unknown, text: string): Report {
  return shown(json, [line(text)]);
}

export function line(text: string): Block {
  return { kind: 'line', text };
}
