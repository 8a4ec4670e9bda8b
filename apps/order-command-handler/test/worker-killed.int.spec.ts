import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeptProcess } from '@gondola/local-stack/process-keeper';
import { createTestSchema, type TestSchema, testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoneWorker, LoneWorkerOptions } from './support/lone-worker.ts';
import { createLoneWorker } from './support/start-order-app.ts';
import { orderData } from './support/platform-order.ts';
import { ScriptedPlatform } from './support/scripted-platform.ts';
import { loneTenantsFile, spawnVictim } from './support/victim.ts';

const LEASE_MS = 1_000;
const ORDER = 300001;

/**
 * A process may end between "written down" and the answer; what it leaves must neither be lost nor blindly be done
 * again.
 */
describe('a worker that is killed while its PATCH is under way', () => {
  let platform: ScriptedPlatform;
  let schema: TestSchema;
  let folder: string;
  let options: LoneWorkerOptions;
  let survivor: LoneWorker;
  let victim: KeptProcess;

  beforeEach(async () => {
    platform = await ScriptedPlatform.start();
    platform.onPatch = () => 'hang';
    schema = await createTestSchema('worker-killed');
    folder = await mkdtemp(join(tmpdir(), 'gondola-killed-'));
    options = {
      url: testStack().databaseUrl,
      schema: schema.schema,
      tenantsFile: await loneTenantsFile(folder, platform.url),
      leaseMs: LEASE_MS,
    };
    survivor = await createLoneWorker(options);
    await survivor.database.connect();
    await survivor.storeFact('acme', {
      data: orderData({ number: ORDER, status: 300, updatedAt: '2026-11-20T10:15:00' }),
    });
    await survivor.storeCommand('acme', { commandId: 'c-1', command: 'StartPreparation', orderNumber: ORDER });
    victim = await spawnVictim(options, folder);
    await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 1, { describe: 'the PATCH' });
    await victim.kill();
    await survivor.workers.start();
  });

  afterEach(async () => {
    await victim.kill();
    await survivor.stop();
    await platform.stop();
    await schema.drop();
    await rm(folder, { recursive: true, force: true });
  });

  it('leaves a command that is read before it is sent again: it had been applied (rules 15, 16)', async () => {
    platform.onRead = () => ({ status: 200, json: 400 });
    const [result] = await results();
    expect(result).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(platform.requestsOf(ORDER, 'PATCH')).toHaveLength(1);
    expect((await survivor.published('erp.orders.events.v1')).map(({ type }) => type)).toEqual(['OrderApproved']);
  });

  it('leaves a command that is sent again when it had not been applied (rule 16)', async () => {
    platform.onRead = () => ({ status: 200, json: 300 });
    const operationId = '00000000-0000-4000-8000-000000000001';
    platform.onPatch = () => ({ status: 200, json: { operationId } });
    await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 2, { describe: 'the second PATCH' });
    const data = orderData({ number: ORDER, status: 400, updatedAt: '2026-11-20T10:16:00' });
    await survivor.storeFact('acme', { operationId, data });
    expect(await results()).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 2 }]);
    expect((await survivor.published('erp.orders.events.v1')).map(({ type }) => type)).toEqual(['OrderApproved']);
  });

  function results(): Promise<Record<string, unknown>[]> {
    return waitFor(
      async () => {
        const published = await survivor.published('erp.orders.results.v1');
        return published.length > 0 && published;
      },
      { describe: 'the result' },
    );
  }
});
