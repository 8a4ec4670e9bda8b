import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Child } from '@gondola/messaging/testing/child-process';
import { endLeases, startVictim } from '@gondola/messaging/testing/end-leases';
import { CatalogInstallation, type TestTenant } from './catalog-app.ts';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);
/** No lease ends by itself: `start` and `work` end those of a killed worker. */
const LEASE_MS = 600_000;

/** A worker in a process of its own, to be killed, and one in this process that finds what it leaves. */
export class KilledWorker {
  readonly gondola: CatalogInstallation;
  readonly survivor: LoneWorker;
  readonly #options: LoneWorkerOptions;
  #victim: Child | undefined;

  private constructor(gondola: CatalogInstallation, options: LoneWorkerOptions, survivor: LoneWorker) {
    this.gondola = gondola;
    this.#options = options;
    this.survivor = survivor;
  }

  static async create(tenant: TestTenant): Promise<KilledWorker> {
    const gondola = await CatalogInstallation.create('cp-killed', [tenant]);
    const options = {
      url: testStack().databaseUrl,
      schema: gondola.installation.env['DATABASE_SCHEMA']!,
      tenantsFile: gondola.installation.env['TENANTS_FILE']!,
      leaseMs: LEASE_MS,
    };
    const survivor = await LoneWorker.create(options);
    await survivor.database.connect();
    return new KilledWorker(gondola, options, survivor);
  }

  async start(): Promise<void> {
    await this.#endLeases();
    await this.#victim?.clear();
    this.#victim = await startVictim(MAIN, this.#options, this.#options.schema);
  }

  /** The worker of this process works. */
  async work(): Promise<void> {
    await this.#endLeases();
    await this.survivor.work();
  }

  async kill(): Promise<void> {
    await this.#victim?.kill();
  }

  async results(count: number): Promise<Record<string, unknown>[]> {
    const enough = async () => {
      const published = await this.survivor.results();
      return published.length >= count && published;
    };
    return waitFor(enough, { describe: `${count} results` });
  }

  async close(): Promise<void> {
    await this.#victim?.clear();
    await this.survivor.stop();
    await this.gondola.close();
  }

  async #endLeases(): Promise<void> {
    await endLeases(this.#options, this.#options.schema);
  }
}
