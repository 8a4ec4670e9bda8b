export interface SpawnOrder {
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Standard output and error are appended here. */
  logFile: string;
  cwd?: string;
  uid?: number;
  gid?: number;
}

/** From the owner to its keeper. */
export type KeeperRequest =
  | { kind: 'spawn'; id: number; order: SpawnOrder }
  | { kind: 'scratch'; folder: string }
  | { kind: 'scratch-removed'; folder: string }
  | { kind: 'guest'; pid: number };

/** From the keeper to its owner. */
export type KeeperReport =
  | { kind: 'started'; id: number; pid: number }
  | { kind: 'failed'; id: number; message: string }
  | { kind: 'exited'; id: number; code: number | null; signal: NodeJS.Signals | null };
