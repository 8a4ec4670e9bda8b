import type { ExitCode } from './exit-code.ts';

/** One thing to be shown to a person. */
export type Block =
  | { kind: 'line'; text: string }
  | { kind: 'table'; table: Table }
  | { kind: 'fields'; fields: ReadonlyArray<readonly [name: string, value: string]> }
  /** Somebody else's text, of several lines. */
  | { kind: 'content'; text: string };

export interface Table {
  readonly headers: readonly string[];
  readonly rows: ReadonlyArray<readonly string[]>;
  /** The column that is cut where the terminal is too narrow. */
  readonly flexible?: number;
}

/**
 * What a command ends with: a document for programs (`--json`), blocks for people, and notes on standard error for
 * both.
 */
export interface Report {
  readonly json: unknown;
  readonly blocks: readonly Block[];
  readonly notes: readonly string[];
  readonly exit: ExitCode;
}
