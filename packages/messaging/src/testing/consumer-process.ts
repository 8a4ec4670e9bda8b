import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type KeptProcess, spawnKept } from '@gondola/local-stack/process-keeper';
import type { TopicName } from '@gondola/shared/topics';

import type { ConsumerTimings } from '../consumer-timings.ts';

export interface ConsumerProcessOptions {
  readonly brokers: readonly string[];
  readonly prefix: string;
  readonly group: string;
  readonly topic: TopicName;
  readonly databaseUrl: string;
  readonly schema: string;
  readonly timings: Partial<ConsumerTimings>;
}

export interface ConsumerProcess extends KeptProcess {
  /** What it has written so far. */
  output(): Promise<string>;
  /** Ends it, and removes what it has written. */
  clear(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('./consumer.main.ts', import.meta.url));

/** Starts `consumer.main.ts`. */
export async function startConsumerProcess(options: ConsumerProcessOptions): Promise<ConsumerProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'gondola-consumer-'));
  const logFile = join(folder, 'consumer.log');
  const child = await spawnKept({
    command: process.execPath,
    args: ['--conditions=gondola-source', MAIN, JSON.stringify(options)],
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
