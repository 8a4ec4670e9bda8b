import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Child } from '@gondola/messaging/testing/child-process';
import { endLeases, startVictim } from '@gondola/messaging/testing/end-leases';
import { LoneWorker, type LoneWorkerOptions } from './lone-worker.ts';
import { ScriptedPlatform } from './scripted-platform.ts';

const MAIN = new URL('./lone-worker.main.ts', import.meta.url);
/** Longer than any test: `takeOver` ends the leases. */
const LEASE_MS = 900_000;

/** A worker of `acme` in a process of its own, to be killed, and one in this process that finds what it leaves. */
export class KilledWorker {
  readonly platform: ScriptedPlatform;
  readonly survivor: LoneWorker;
  readonly #options: LoneWorkerOptions;
  readonly #folder: string;
  readonly #schema: TestSchema;
  #victim: Child | undefined;

  private constructor(platform: ScriptedPlatform, schema: TestSchema, folder: string) {
    this.platform = platform;
    this.#schema = schema;
    this.#folder = folder;
    const tenantsFile = join(folder, 'tenants.json');
    this.#options = { url: testStack().databaseUrl, schema: schema.schema, tenantsFile, leaseMs: LEASE_MS };
    this.survivor = new LoneWorker(this.#options);
  }

  /** Starts neither of the two. */
  static async create(label: string): Promise<KilledWorker> {
    const scripted = await ScriptedPlatform.start();
    const folder = await mkdtemp(join(tmpdir(), `gondola-${label}-`));
    const platform = { baseUrl: scripted.url, username: 'erp-one', password: { env: 'TEST_PLATFORM_PASSWORD' } };
    const tenant = { id: 'acme', contractAccountId: '11111111-1111-4111-8111-111111111111', platform };
    await writeFile(join(folder, 'tenants.json'), JSON.stringify({ tenants: [tenant] }));
    const killed = new KilledWorker(scripted, await createTestSchema(label), folder);
    await killed.survivor.database.connect();
    return killed;
  }

  async start(): Promise<void> {
    this.#victim = await startVictim(MAIN, this.#options, this.#schema.schema);
  }

  async kill(): Promise<void> {
    await this.#victim?.kill();
  }

  /** Kills the worker, ends its leases, and lets the survivor go on. */
  async takeOver(): Promise<void> {
    await this.kill();
    await endLeases(this.#options, this.#schema.schema);
    await this.survivor.workers.start();
  }

  /** All published results, once there is one. */
  async results(): Promise<Record<string, unknown>[]> {
    const some = async () => {
      const published = await this.survivor.published('erp.orders.results.v1');
      return published.length > 0 && published;
    };
    return waitFor(some, { describe: 'the result' });
  }

  async eventTypes(): Promise<unknown[]> {
    return (await this.survivor.published('erp.orders.events.v1')).map(({ type }) => type);
  }

  async close(): Promise<void> {
    await this.#victim?.clear();
    await this.survivor.stop();
    await this.platform.stop();
    await this.#schema.drop();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
