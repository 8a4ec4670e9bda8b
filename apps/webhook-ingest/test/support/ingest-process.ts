import { join } from 'node:path';
import { type ChildApp, FROM_SOURCES, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import type { IngestBench } from './ingest-bench.ts';

export const APP_FOLDER = join(import.meta.dirname, '../..');

export interface IngestProcess extends ChildApp {
  readonly url: string;
}

const PORT_ATTEMPTS = 5;

/**
 * Starts the app as its own process and waits until it is ready; the bench stops it at the latest. Another process
 * may take the free port before the app listens on it: then the start is tried with another port.
 */
export async function startIngestProcess(
  bench: IngestBench,
  more: Record<string, string> = {},
): Promise<IngestProcess> {
  const env = { ...bench.env, SPOOL_DIR: bench.spoolFolder(), ...more };
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startOnSomePort(bench, env);
    } catch (error) {
      if (attempt === PORT_ATTEMPTS || !String(error).includes('EADDRINUSE')) throw error;
    }
  }
}

async function startOnSomePort(bench: IngestBench, env: Record<string, string>): Promise<IngestProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name: 'webhook-ingest',
    args: FROM_SOURCES,
    cwd: APP_FOLDER,
    env: { ...env, HTTP_PORT: String(port) },
    logFile: join(bench.folder, 'app.log'),
    readyUrl: `${url}/health/ready`,
  });
  bench.keep(child);
  return { ...child, url };
}
