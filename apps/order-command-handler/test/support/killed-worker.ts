import { EvasiveReads } from '@gondola/local-stack/testing/evasive-reads';
import { KilledWorker } from '@gondola/operations/testing/killed-worker';
import { workerOptions } from '@gondola/operations/testing/lone-worker';
import { tenantOn, TestInstallation } from '@gondola/kafka/testing/test-installation';
import { LoneOrderWorker } from './lone-worker.ts';
import { OrderPlatform } from './order-platform.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);

export interface KilledOrderWorker {
  readonly killed: KilledWorker<LoneOrderWorker>;
  readonly platform: OrderPlatform;
}

/** A worker of `acme` to be killed, and its platform, of which the first reads are evasive. */
export async function killedOrderWorker(label: string): Promise<KilledOrderWorker> {
  const platform = await OrderPlatform.start();
  platform.evasive = new EvasiveReads();
  const tenants = [tenantOn(platform.url)];
  const installation = await TestInstallation.create({ label, tenants }, () => platform.stop());
  const options = workerOptions(installation, 'acme');
  const survivor = await LoneOrderWorker.create(options);
  return { killed: await KilledWorker.create(survivor, MAIN, options, () => installation.close()), platform };
}
