import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hostEnvironment } from '@gondola/local-stack/host-environment';
import { type KeptProcess, spawnKept } from '@gondola/local-stack/process-keeper';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Client } from 'pg';
import { fullProduct, fullSku, POLICY, successReport } from '../src/testing/products.ts';
import { TestInstallation } from './support/catalog-app.ts';
import { LoneWorker, type LoneWorkerOptions } from './support/lone-worker.ts';
import type { Answer } from './support/scripted-platform.ts';
import { type Shop, silent } from './support/shop.ts';

const MAIN = fileURLToPath(new URL('./support/lone-worker.main.ts', import.meta.url));
const REGISTER = new URL('./support/swc-register.ts', import.meta.url).href;
const LEASE_MS = 1_000;

const product = (externalReference: string) =>
  fullProduct({ externalReference, skus: [fullSku({ externalReference: `${externalReference}-1` })] }) as {
    externalReference: string;
  };

/** The read model of a product that entered (platform-api.md, "Product read model"). */
function readModel(externalReference: string): object {
  const { commercialPolicyId: _, ...same } = fullProduct({ externalReference });
  const { unitOfMeasurement: unitOfMeasure, ...sku } = fullSku({ externalReference: `${externalReference}-1` });
  return { ...same, commercialPoliticId: POLICY, skus: [{ ...sku, unitOfMeasure }] };
}

interface Hold {
  readonly isWaitedFor: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/** Whatever a killed process leaves behind must neither be lost nor blindly be done again: each record ends in exactly one result. */
describe('a worker that is killed', () => {
  let gondola: TestInstallation;
  let shop: Shop;
  let options: LoneWorkerOptions;
  let survivor: LoneWorker;
  let victim: KeptProcess;

  beforeEach(async () => {
    gondola = await TestInstallation.create('cp-killed', [{ id: 'acme' }]);
    shop = gondola.shop();
    options = {
      url: testStack().databaseUrl,
      schema: gondola.env['DATABASE_SCHEMA']!,
      tenantsFile: gondola.env['TENANTS_FILE']!,
      leaseMs: LEASE_MS,
    };
    survivor = new LoneWorker(options);
    await survivor.database.connect();
  });

  afterEach(async () => {
    await victim.kill();
    await survivor.stop();
    await gondola.close();
  });

  const startVictim = async (): Promise<void> => {
    victim = await spawnKept({
      command: process.execPath,
      args: ['--conditions=gondola-source', `--import=${REGISTER}`, MAIN, JSON.stringify(options)],
      cwd: gondola.folder,
      env: hostEnvironment(),
      logFile: join(gondola.folder, 'victim.log'),
    });
  };

  const results = (count: number) =>
    waitFor(
      async () => {
        const told = await survivor.results();
        return told.length >= count && told;
      },
      { describe: `${count} results` },
    );

  /** Holds the rows of all records, so that nothing can be saved, until it is called. */
  const holdCommands = async (): Promise<Hold> => {
    const client = new Client({ connectionString: gondola.schemaUrl });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT id FROM commands FOR UPDATE');
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const blocked = 'SELECT 1 FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
    return {
      isWaitedFor: async () => (await gondola.query(blocked, [rows[0]!.pid])).length > 0,
      release: () => client.end(),
    };
  };

  it('before it posted leaves records that are posted once', async () => {
    shop.before = ({ method }): Answer | undefined => (method === 'GET' ? 'hang' : undefined);
    await survivor.storeRecords([{ externalReference: '1', name: 'Queijo novo' } as { externalReference: string }]);
    await startVictim();
    await waitFor(() => gondola.platform.requests.length > 0, { describe: 'the reading' });
    await victim.kill();
    shop.before = () => undefined;
    shop.readModels.set('1', readModel('1'));
    shop.fates.set('1', silent);
    await survivor.work();
    await waitFor(() => shop.batchesOf('1').length === 1, { describe: 'the batch' });
    await survivor.storeReport('1', shop.batchesOf('1')[0]!.operationId, successReport('1', []));
    expect(await results(1)).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 1 }]);
  });

  it('after it posted, before it wrote the answer down, leaves records that end by report, by reading, or by another sending (rules 16, 25)', async () => {
    shop.before = ({ method }): Answer | undefined => (method === 'POST' ? 'hang' : undefined);
    await survivor.storeRecords(['reported', 'entered', 'lost'].map(product));
    await startVictim();
    await waitFor(() => gondola.platform.requests.length > 0, { describe: 'the batch' });
    await survivor.storeReport(
      'reported',
      'an operation that nobody was told',
      successReport('reported', ['reported-1']),
    );
    await victim.kill();
    shop.before = () => undefined;
    shop.fates.set('lost', silent);
    shop.readModels.set('entered', readModel('entered'));
    await survivor.work();
    await waitFor(() => shop.batchesOf('lost').length === 1, { describe: 'the second batch' });
    await survivor.storeReport('lost', shop.batchesOf('lost')[0]!.operationId, successReport('lost', ['lost-1']));
    const told = await results(3);
    const ends = told.map(({ commandId, outcome, evidence, attempts }) => [commandId, outcome, evidence, attempts]);
    expect(ends.toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1))).toEqual([
      ['r-entered', 'applied', 'read-back', 1],
      ['r-lost', 'applied', 'event', 2],
      ['r-reported', 'applied', 'event', 1],
    ]);
    expect(shop.batches.flatMap(({ products }) => products).map(({ externalReference }) => externalReference)).toEqual([
      'lost',
    ]);
  });

  it('while it writes the answer down, and another while it writes the end down, leave a record with one result', async () => {
    shop.fates.set('2', silent);
    let hold: Hold | undefined;
    shop.before = async ({ method }) => {
      if (method === 'POST') hold = await holdCommands();
      return undefined;
    };
    await survivor.storeRecords([product('2')]);
    await startVictim();
    await waitFor(() => hold?.isWaitedFor() ?? false, { describe: 'the answer to be saved' });
    await victim.kill();
    await hold!.release();
    shop.before = () => undefined;
    const [first] = shop.batchesOf('2');
    await survivor.storeReport('2', first!.operationId, successReport('2', ['2-1']));
    const second = await holdCommands();
    await startVictim();
    await waitFor(second.isWaitedFor, { describe: 'the end to be saved' });
    await victim.kill();
    await second.release();
    expect(await survivor.results()).toEqual([]);
    await survivor.work();
    expect(await results(1)).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 1 }]);
    expect(shop.batchesOf('2')).toHaveLength(1);
  });
});
