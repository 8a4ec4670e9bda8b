import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type SupervisedProcess, spawnSupervised } from '@gondola/local-stack/process-supervisor';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { endLeases, namedConnections } from '@gondola/messaging/testing/end-leases';
import { CatalogInstallation, type TestTenant } from './catalog-app.ts';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

const MAIN = fileURLToPath(new URL('./lone-worker.main.ts', import.meta.url));
/** No lease ends by itself: `start` and `work` end those of a killed worker. */
const LEASE_MS = 600_000;

/** A worker in a process of its own, to be killed, and one in this process that finds what it leaves. */
export class KilledWorker {
  readonly gondola: CatalogInstallation;
  readonly survivor: LoneWorker;
  readonly #options: LoneWorkerOptions;
  #victim: SupervisedProcess | undefined;

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
    const { url, schema } = this.#options;
    const options = { ...this.#options, url: namedConnections(url, schema) };
    this.#victim = await spawnSupervised({
      command: process.execPath,
      args: [...SOURCES, MAIN, JSON.stringify(options)],
      cwd: this.gondola.installation.folder,
      env: hostEnvironment(),
      logFile: join(this.gondola.installation.folder, 'victim.log'),
    });
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
    await this.kill();
    await this.survivor.stop();
    await this.gondola.close();
  }

  async #endLeases(): Promise<void> {
    await endLeases(this.#options, this.#options.schema);
  }
}
