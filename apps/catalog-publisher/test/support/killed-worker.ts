import { EvasiveReads } from '@gondola/local-stack/testing/evasive-reads';
import { KilledWorker } from '@gondola/operations/testing/killed-worker';
import { workerOptions } from '@gondola/operations/testing/lone-worker';
import { CatalogInstallation, type TestTenant } from './catalog-app.ts';
import { LoneCatalogWorker } from './lone-worker.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);

export interface KilledCatalogWorker {
  readonly killed: KilledWorker<LoneCatalogWorker>;
  readonly gondola: CatalogInstallation;
}

/** A worker of a tenant to be killed, and its installation, of whose shop the first reads are evasive. */
export async function killedCatalogWorker(tenant: TestTenant): Promise<KilledCatalogWorker> {
  const gondola = await CatalogInstallation.create('cp-killed', [tenant]);
  gondola.platform.evasive = new EvasiveReads();
  const options = workerOptions(gondola.installation, tenant.id);
  const survivor = await LoneCatalogWorker.create(options);
  return { killed: await KilledWorker.create(survivor, MAIN, options, () => gondola.close()), gondola };
}
