import { join } from 'node:path';
import { type ChildApp, startChildApp } from '@gondola/local-stack/child-app';
import { freePort } from '@gondola/local-stack/free-port';
import type { IngestBench } from './ingest-bench.ts';

export const APP_FOLDER = join(import.meta.dirname, '../..');
const SWC_HOOKS = new URL('./swc-hooks.ts', import.meta.url).href;
/** What runs the app from its sources. */
export const FROM_SOURCES = ['--conditions=gondola-source', '--import', SWC_HOOKS, 'src/main.ts'];

export interface IngestProcess extends ChildApp {
  readonly url: string;
}

/** The app as a process of its own, ready; killed or stopped with the bench at the latest. */
export async function startIngestProcess(
  bench: IngestBench,
  more: Record<string, string> = {},
): Promise<IngestProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = await startChildApp({
    name: 'webhook-ingest',
    args: FROM_SOURCES,
    cwd: APP_FOLDER,
    env: { ...bench.env, HTTP_PORT: String(port), SPOOL_DIR: bench.spoolFolder(), ...more },
    logFile: join(bench.folder, 'app.log'),
    readyUrl: `${url}/health/ready`,
  });
  bench.keep(child);
  return { ...child, url };
}
