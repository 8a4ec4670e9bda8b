import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type KeptProcess, spawnKept } from '@gondola/local-stack/process-keeper';

export interface Child extends KeptProcess {
  /** Its output so far. */
  output(): Promise<string>;
  /** Ends it, and removes what it has written. */
  clear(): Promise<void>;
}

/** Runs a file of this folder in a process of its own; it reads `options` as JSON from its first argument. */
export async function startChild(file: string, options: object): Promise<Child> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-child-'));
  const logFile = join(folder, 'child.log');
  const child = await spawnKept({
    command: process.execPath,
    args: [...SOURCES, fileURLToPath(new URL(`./${file}`, import.meta.url)), JSON.stringify(options)],
    cwd: folder,
    env: hostEnvironment(),
    logFile,
  });
  return {
    ...child,
    output: () => readFile(logFile, 'utf8'),
    clear: async () => {
      await child.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
