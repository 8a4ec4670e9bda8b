export interface SpawnOrder {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Standard output and error are appended to this file. */
  logFile: string;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** From the owner to its supervisor. */
export type SupervisorRequest =
  | { kind: 'spawn'; id: number; order: SpawnOrder }
  | { kind: 'scratch'; folder: string }
  | { kind: 'scratch-removed'; folder: string }
  | { kind: 'guest'; pid: number };

/** From the supervisor to its owner. */
export type SupervisorReport =
  | { kind: 'started'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'exited'; id: number; code: number | null; signal: NodeJS.Signals | null };
