import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SOURCES } from '@gondola/local-stack/child-app';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type SupervisedProcess, spawnSupervised } from '@gondola/local-stack/process-supervisor';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { Client } from 'pg';
import { CatalogInstallation, type TestTenant } from './catalog-app.ts';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';

const MAIN = fileURLToPath(new URL('./lone-worker.main.ts', import.meta.url));
const LEASE_MS = 500;

/** Rows that a test holds, so that nothing about them can be saved. */
export interface Hold {
  readonly isWaitedFor: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

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
    this.#victim = await spawnSupervised({
      command: process.execPath,
      args: [...SOURCES, MAIN, JSON.stringify(this.#options)],
      cwd: this.gondola.installation.folder,
      env: hostEnvironment(),
      logFile: join(this.gondola.installation.folder, 'victim.log'),
    });
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

  /** Holds the rows that a query selects for update. */
  async hold(query: string): Promise<Hold> {
    const client = new Client({ connectionString: this.gondola.installation.schemaUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query(query);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const blocked = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return {
      isWaitedFor: async () => (await this.gondola.query(blocked, [rows[0]!.pid])).length > 0,
      release: () => client.end(),
    };
  }

  async close(): Promise<void> {
    await this.kill();
    await this.survivor.stop();
    await this.gondola.close();
  }
}
