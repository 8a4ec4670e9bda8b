import { natively } from '@gondola/local-stack/testing/natively';
import type { CatalogInstallation } from './catalog-app.ts';
import type { KilledWorker } from './victim.ts';

/** The app's installation, loaded once by each of Jest's processes: a suite shares no class with it. */
export async function createInstallation(
  ...options: Parameters<typeof CatalogInstallation.create>
): Promise<CatalogInstallation> {
  const loaded = await natively<typeof import('./catalog-app.ts')>(new URL('catalog-app.ts', import.meta.url));
  return loaded.CatalogInstallation.create(...options);
}

/** The same for a worker alone, and one to be killed; none is started. */
export async function createKilledWorker(...options: Parameters<typeof KilledWorker.create>): Promise<KilledWorker> {
  const loaded = await natively<typeof import('./victim.ts')>(new URL('victim.ts', import.meta.url));
  return loaded.KilledWorker.create(...options);
}
