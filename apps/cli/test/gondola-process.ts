import { execFile } from 'node:child_process';
import { join } from 'node:path';

const GONDOLA = join(import.meta.dirname, '../bin/gondola.js');
/** Time limit that kills a hanging process. */
const LIMIT_MS = 300_000;

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs `gondola` as a separate process, with only this environment, and waits for its exit. */
export function runGondola(args: readonly string[], env: Record<string, string>, folder = '/'): Promise<Ran> {
  const options = { cwd: folder, env, timeout: LIMIT_MS, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [GONDOLA, ...args], options, (_error, stdout, stderr) =>
      resolve({ exit: child.exitCode, stdout, stderr }),
    );
  });
}
