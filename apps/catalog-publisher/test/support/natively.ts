import type { TestInstallation } from './catalog-app.ts';
import type { KilledWorker } from './victim.ts';

declare global {
  /** Of infra/jest-environment.js. */
  function importNatively(url: string): Promise<unknown>;
}

/**
 * Loaded once by each of Jest's processes, not once by each suite: a suite knows the app by Kafka, the database and its
 * shop alone, and shares no class with it.
 */
export async function createInstallation(
  ...options: Parameters<typeof TestInstallation.create>
): Promise<TestInstallation> {
  const loaded = await natively<typeof import('./catalog-app.ts')>('catalog-app.ts');
  return loaded.TestInstallation.create(...options);
}

/** The same for a worker alone, and one to be killed; none is started. */
export async function createKilledWorker(...options: Parameters<typeof KilledWorker.create>): Promise<KilledWorker> {
  const loaded = await natively<typeof import('./victim.ts')>('victim.ts');
  return loaded.KilledWorker.create(...options);
}

async function natively<T>(file: string): Promise<T> {
  return (await importNatively(new URL(file, import.meta.url).href)) as T;
}
