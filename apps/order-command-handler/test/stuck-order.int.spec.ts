import { waitFor } from '@gondola/local-stack/wait-for';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { workerOptions } from '@gondola/operations/testing/lone-worker';
import { tenantOn, TestInstallation } from '@gondola/kafka/testing/test-installation';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { LoneOrderWorker } from './support/lone-worker.ts';
import { OrderPlatform } from './support/order-platform.ts';
import { orderData } from './support/platform-order.ts';

const ORDER = 740_001;
const OPERATION = '00000000-0000-4000-8000-0000000000aa';

/** The row of the order cannot be read back, as after a defect of an earlier version; the order's lane is stuck. */
const DAMAGE = `
  UPDATE orders SET published_recalculation = '{ "ticks": "many" }';
  UPDATE lanes SET failures = 10 WHERE identity = '${ORDER}'`;
const MEND = 'UPDATE orders SET published_recalculation = NULL';

describe('an order that cannot be loaded', () => {
  let installation: TestInstallation;
  let platform: OrderPlatform;
  let worker: LoneOrderWorker;

  beforeEach(async () => {
    platform = await OrderPlatform.start();
    platform.on.status = () => ({ status: 200, json: { operationId: OPERATION } });
    const tenants = [tenantOn(platform.url)];
    installation = await TestInstallation.create({ label: 'stuck-order', tenants }, () => platform.stop());
    worker = await LoneOrderWorker.create(workerOptions(installation, 'acme'));
    await worker.start();
    await worker.storeFact({ data: orderData({ number: ORDER, status: 300, updatedAt: '2026-11-20T10:15:00' }) });
    await command('sent', 'StartPreparation');
    await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 1, { describe: 'the PATCH' });
    await worker.get(LaneWorkers).stop();
    await worker.database.query(DAMAGE);
  });

  afterEach(async () => {
    await worker.stop();
    await installation.close();
  });

  const command = (commandId: string, name: string, more: object = {}): Promise<void> =>
    worker.storeCommand({ commandId, command: name, orderNumber: ORDER, ...more });

  const withdraw = (commandId: string, withdraws: string): Promise<void> =>
    command(commandId, 'WithdrawCommand', { withdraws });

  async function failures(): Promise<number> {
    const text = `SELECT failures FROM lanes WHERE identity = '${ORDER}'`;
    return (await worker.database.query<{ failures: number }>(text)).rows[0]!.failures;
  }

  async function outcomes(count: number): Promise<unknown[]> {
    const results = await waitFor(
      async () => {
        const all = await worker.results();
        return all.length >= count && all;
      },
      { describe: `${count} results` },
    );
    return results.map(({ commandId, outcome, reason }) => [commandId, outcome, (reason as { code?: string })?.code]);
  }

  it('lets its commands be withdrawn that were not sent, and each ends once (guarantee 3) (rule 19)', async () => {
    await command('waiting', 'MarkReady');
    await command('cancel', 'CancelOrder', { reason: 'x' });
    await withdraw('w-1', 'waiting');
    await withdraw('w-2', 'waiting');
    await withdraw('w-3', 'sent');
    await withdraw('w-4', 'none');
    await worker.work();
    expect(await outcomes(5)).toEqual([
      ['waiting', 'withdrawn', undefined],
      ['w-1', 'applied', undefined],
      ['w-2', 'unchanged', undefined],
      ['w-3', 'invalid', 'ALREADY_SENT'],
      ['w-4', 'invalid', 'COMMAND_UNKNOWN'],
    ]);
    expect(await worker.results()).toMatchObject(Array.from({ length: 5 }, () => ({ revision: 1, final: true })));
    await worker.get(LaneWorkers).stop();
    expect(await failures()).toBe(11);
    expect(platform.requestsOf(ORDER, 'PATCH')).toHaveLength(1);
  });

  it('goes on once it can be loaded: what was sent has its true outcome (guarantee 3)', async () => {
    await command('waiting', 'MarkReady');
    await withdraw('w-1', 'waiting');
    await worker.work();
    await outcomes(2);
    await worker.get(LaneWorkers).stop();
    const data = orderData({ number: ORDER, status: 400, updatedAt: '2026-11-20T10:16:00' });
    await worker.storeFact({ operationId: OPERATION, data });
    await worker.database.query(MEND);
    await worker.work();
    expect((await outcomes(3)).at(-1)).toEqual(['sent', 'applied', undefined]);
    expect(await failures()).toBe(0);
  });
});
