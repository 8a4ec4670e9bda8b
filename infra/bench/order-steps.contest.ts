import { fork } from 'node:child_process';
import { once } from 'node:events';
import { SOURCES } from '@gondola/local-stack/child-app';
import type { Servers } from './bench.ts';
import type { Contest } from './contest.ts';

const NOTIFICATIONS = 200;
const FEW = 5;
const MANY = 500;
const ORDER_STEPS = new URL('../../apps/order-command-handler/test/bench/order-steps.main.ts', import.meta.url);

/**
 * From a stored notification to its event, for orders with few facts and for orders with hundreds: the latter cost
 * at most twice as much.
 */
export async function orderStepsContest({ databaseUrl }: Servers): Promise<Contest> {
  const child = fork(ORDER_STEPS, [JSON.stringify({ databaseUrl })], {
    execArgv: [...SOURCES, '--disable-warning=TimeoutNegativeWarning'],
  });
  const gone = new AbortController();
  child.once('exit', (code) => gone.abort(new Error(`The worker of orders ended with ${code}`)));
  const ordersWith = (facts: number) => ({
    name: `orders with ${facts} facts`,
    run: async () => {
      child.send({ facts, notifications: NOTIFICATIONS });
      const [elapsedMs] = (await once(child, 'message', { signal: gone.signal })) as [number];
      return (NOTIFICATIONS * 1_000) / elapsedMs;
    },
  });
  const [few, many] = [ordersWith(FEW), ordersWith(MANY)];
  return {
    name: 'order notifications, from fact to event',
    unit: 'notifications/s',
    candidates: [few, many],
    checks: [{ of: many.name, to: few.name, target: 0.8, atLeast: 0.5 }],
    close: async () => {
      child.disconnect();
      // Its connections are closed before their servers stop.
      await once(child, 'exit');
    },
  };
}
