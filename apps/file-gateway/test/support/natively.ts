import type { FileApp, FileAppOptions } from './file-app.ts';
import type { LoneWorker, LoneWorkerOptions } from './lone-worker.ts';

declare global {
  /** Of infra/jest-environment.js. */
  function importNatively(url: string): Promise<unknown>;
}

/**
 * Loaded once by each of Jest's processes, not once by each suite: a suite knows the app by HTTP, Kafka and the
 * database alone, and shares no class with it.
 */
export async function startFileApp(label: string, options: FileAppOptions = {}): Promise<FileApp> {
  const { FileApp } = await natively<typeof import('./file-app.ts')>('file-app.ts');
  return FileApp.start(label, options);
}

/** The same for a worker alone; its lanes are not started. */
export async function openLoneWorker(options: LoneWorkerOptions): Promise<LoneWorker> {
  const { LoneWorker } = await natively<typeof import('./lone-worker.ts')>('lone-worker.ts');
  return LoneWorker.open(options);
}

async function natively<T>(file: string): Promise<T> {
  return (await importNatively(new URL(file, import.meta.url).href)) as T;
}
