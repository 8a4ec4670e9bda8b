import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type KilledOrderWorker, killedOrderWorker } from './support/killed-worker.ts';
import type { LoneOrderWorker } from './support/lone-worker.ts';
import { orderData } from './support/platform-order.ts';
import type { OrderPlatform } from './support/order-platform.ts';

const ORDER = 300001;

/**
 * A process may end between "written down" and the answer; what it leaves must neither be lost nor blindly be done
 * again.
 */
describe('a worker that is killed while its PATCH is under way', () => {
  let killed: KilledOrderWorker['killed'];
  let platform: OrderPlatform;
  let survivor: LoneOrderWorker;

  beforeEach(async () => {
    ({ killed, platform } = await killedOrderWorker('worker-killed'));
    ({ survivor } = killed);
    platform.on.status = () => 'hang';
    await survivor.storeFact({
      data: orderData({ number: ORDER, status: 300, updatedAt: '2026-11-20T10:15:00' }),
    });
    await survivor.storeCommand({ commandId: 'c-1', command: 'StartPreparation', orderNumber: ORDER });
    await killed.start();
    await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 1, { describe: 'the PATCH' });
  });

  afterEach(() => killed.close());

  it('leaves a command that is read before it is sent again: it had been applied (rules 15, 16)', async () => {
    platform.on.read = () => ({ status: 200, json: 400 });
    await killed.takeOver();
    const [result] = await killed.results();
    expect(result).toMatchObject({ outcome: 'applied', evidence: 'read-back', attempts: 1 });
    expect(platform.requestsOf(ORDER, 'PATCH')).toHaveLength(1);
    expect(await survivor.eventTypes()).toEqual(['OrderApproved']);
  });

  it('leaves a command that is sent again when it had not been applied (rule 16)', async () => {
    platform.on.read = () => ({ status: 200, json: 300 });
    const operationId = '00000000-0000-4000-8000-000000000001';
    platform.on.status = () => ({ status: 200, json: { operationId } });
    await killed.takeOver();
    await waitFor(() => platform.requestsOf(ORDER, 'PATCH').length === 2, { describe: 'the second PATCH' });
    const data = orderData({ number: ORDER, status: 400, updatedAt: '2026-11-20T10:16:00' });
    await survivor.storeFact({ operationId, data });
    expect(await killed.results()).toMatchObject([{ outcome: 'applied', evidence: 'event', attempts: 2 }]);
    expect(await survivor.eventTypes()).toEqual(['OrderApproved']);
  });
});
