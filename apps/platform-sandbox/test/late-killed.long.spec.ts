import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { waitFor } from '@gondola/local-stack/wait-for';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

const ORDERS = 20;
const WINDOW_MS = 600_000;

let sandbox: TestSandbox;
const admin: TestSandbox['admin'] = (...call) => sandbox.admin(...call);

beforeEach(async () => {
  sandbox = await TestSandbox.start('late', { LOG_LEVEL: 'fatal' }, true);
});
afterEach(() => sandbox.close());

it('late calls are carried out although the sandbox is killed, those whose caller still waits too', async () => {
  const { contractAccountId, skus } = (await admin('POST', '/seed', { products: 1, orders: 0 })) as {
    contractAccountId: string;
    skus: number;
  };
  expect(skus).toBeGreaterThan(0);
  const [product] = (await admin('GET', '/products')) as { skus: { externalReference: string }[] }[];
  const items = [{ skuExternalReference: product?.skus[0]?.externalReference, quantity: 1 }];
  const orders: number[] = [];
  for (let order = 0; order < ORDERS; order += 1) {
    const { number } = (await admin('POST', '/orders', { items, payment: 'approved' })) as { number: number };
    orders.push(number);
  }
  await admin('POST', '/faults', [{ kind: 'late', ms: WINDOW_MS, seed: 1 }]);
  const headers = {
    authorization: `Basic ${Buffer.from('erp:erp').toString('base64')}`,
    'x-contractAccountId': contractAccountId,
    'content-type': 'application/json',
  };
  const calls = orders.map((number) =>
    fetch(`${sandbox.url}/v1/Orders/${number}/status`, { method: 'PATCH', headers, body: '{"status":"SHIPPED"}' }),
  );
  const ended = Promise.allSettled(calls);
  const waiting = async (): Promise<number> =>
    ((await admin('GET', '/overview')) as { waitingOperations: number }).waitingOperations;
  await waitFor(async () => (await waiting()) === ORDERS, { describe: 'all late calls' });
  await sandbox.restart();
  await ended;
  expect(await waiting()).toBe(ORDERS);
  await admin('POST', '/clock', { advanceMs: 2 * WINDOW_MS });
  await sandbox.idle();
  for (const number of orders) expect(await admin('GET', `/orders/${number}`)).toMatchObject({ status: 600 });
});
