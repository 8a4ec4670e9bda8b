import { natively } from '@gondola/local-stack/testing/natively';
import type { FileApp, FileAppOptions } from './file-app.ts';
import type { LoneWorker, LoneWorkerOptions } from './lone-worker.ts';

/** The app, loaded once by each of Jest's processes: a suite shares no class with it. */
export async function startFileApp(label: string, options: FileAppOptions = {}): Promise<FileApp> {
  const { FileApp } = await natively<typeof import('./file-app.ts')>(new URL('file-app.ts', import.meta.url));
  return FileApp.start(label, options);
}

/** The same for a worker alone; its lanes are not started. */
export async function openLoneWorker(options: LoneWorkerOptions): Promise<LoneWorker> {
  const { LoneWorker } = await natively<typeof import('./lone-worker.ts')>(new URL('lone-worker.ts', import.meta.url));
  return LoneWorker.open(options);
}
