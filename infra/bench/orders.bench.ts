import { startWorker } from './bench-app.ts';
import { contestBench } from './bench.ts';

const NOTIFICATIONS = 200;
const FEW = 5;
const MANY = 500;
const ORDER_STEPS = new URL('../../apps/order-command-handler/test/bench/order-steps.main.ts', import.meta.url);

/**
 * From a stored notification to its event, for orders with few facts and for orders with hundreds: the latter cost
 * at most twice as much.
 */
export const ordersBench = contestBench('orders', async ({ databaseUrl }) => {
  const worker = startWorker(ORDER_STEPS, { databaseUrl });
  const ordersWith = (facts: number) => ({
    name: `orders with ${facts} facts`,
    run: async () => (NOTIFICATIONS * 1_000) / (await worker.milliseconds({ facts, notifications: NOTIFICATIONS })),
  });
  const [few, many] = [ordersWith(FEW), ordersWith(MANY)];
  return {
    name: 'order notifications, from fact to event',
    unit: 'notifications/s',
    candidates: [few, many],
    checks: [{ of: many, to: few, target: 0.8, atLeast: 0.5 }],
    close: worker.stop,
  };
});
