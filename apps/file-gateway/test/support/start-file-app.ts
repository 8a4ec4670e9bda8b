import type { FileApp, FileAppOptions } from './file-app.ts';

declare global {
  /** Of infra/jest-environment.js. */
  function importNatively(url: string): Promise<unknown>;
}

/**
 * Loaded once by each of Jest's processes, not once by each suite: a suite knows the app by HTTP, Kafka and the
 * database alone, and shares no class with it.
 */
export async function startFileApp(label: string, options: FileAppOptions = {}): Promise<FileApp> {
  const url = new URL('file-app.ts', import.meta.url).href;
  const loaded = (await importNatively(url)) as typeof import('./file-app.ts');
  return loaded.FileApp.start(label, options);
}
