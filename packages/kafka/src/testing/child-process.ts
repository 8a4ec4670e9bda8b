import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type SupervisedProcess, spawnSupervised } from '@gondola/local-stack/process-supervisor';

export interface Child extends SupervisedProcess {
  /** Output so far. */
  output(): Promise<string>;
  /** Ends the process and removes its files. */
  clear(): Promise<void>;
}

/** Runs a TypeScript file in a separate process, which reads `options` as JSON from its first argument. */
export async function startChild(file: URL, options: object): Promise<Child> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-child-'));
  const logFile = join(folder, 'child.log');
  const child = await spawnSupervised({
    command: process.execPath,
    args: [...SOURCES, fileURLToPath(file), JSON.stringify(options)],
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
