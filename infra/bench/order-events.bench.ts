import { randomBytes } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Bench } from './bench.ts';
import { startBenchApp } from './bench-app.ts';
import { type Arrivals, type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { median } from '@gondola/local-stack/testing/median';
import { NO_RECOVERY, NOTIFICATIONS, notificationMessage, publishSkus, sendNotifications } from './order-messages.ts';
import { OrderNotifications } from './order-notifications.ts';
import { between, costOf, countStatements, usageOf } from './usage.ts';

const ROUNDS = 5;
const ORDERS = 1_500;
const TARGET_PER_SECOND = 2_000;
const TIMEOUT_MS = 120_000;

/**
 * Notifications of 6 kB, each of another order in a shop with known SKUs, from their topic through the whole app to
 * the events' topic: those after the start of app and servers, and later ones, when they have compiled what runs often.
 * Shown, never checked. No platform is called: the orders have no commands and stay within their
 * limits.
 */
export const orderEventsBench: Bench = {
  name: 'order-events',
  run: async (servers, say) => {
    await countStatements(servers);
    const room = await openRoom(servers, [NOTIFICATIONS]);
    const app = await startBenchApp(servers, { app: 'order-command-handler', tenant: { recovery: NO_RECOVERY } });
    const events = await watchArrivals(room, 'erp.orders.events.v1');
    try {
      await publishSkus(room);
      await send(room, events, 1);
      const measured = async (state: string): Promise<number> => {
        const before = await usageOf(app.pid, servers, room.database);
        const figures: number[] = [];
        for (let round = 0; round < ROUNDS; round += 1) figures.push(await send(room, events, ORDERS));
        const used = between(before, await usageOf(app.pid, servers, room.database));
        say(`${state}: ${median(figures).toFixed(0)}/s; each: ${costOf(used, ROUNDS * ORDERS)}`);
        return median(figures);
      };
      say(`notifications to events, topic to topic (median of ${ROUNDS} rounds of ${ORDERS})`);
      await measured('cold');
      for (let round = 0; round < ROUNDS; round += 1) await send(room, events, ORDERS);
      const warm = await measured('warm');
      const what = `notifications to events : ${TARGET_PER_SECOND}/s`;
      return [{ what, measured: warm / TARGET_PER_SECOND, target: 1, atLeast: null }];
    } finally {
      await events.stop();
      await app.stop();
      await room.close();
    }
  },
};

/** Publishes notifications of new orders, and returns the rate of their events per second. */
async function send(room: BenchRoom, events: Arrivals, orders: number): Promise<number> {
  const notifications = new OrderNotifications(randomBytes(6).toString('hex'));
  const first = Number.parseInt(randomBytes(3).toString('hex'), 16) * 10;
  const goal = events.at.size + orders;
  const messages = Array.from({ length: orders }, (_, index) =>
    notificationMessage(first + index, notifications.order(first + index)),
  );
  const startedAt = performance.now();
  await sendNotifications(room, messages);
  await waitFor(() => events.at.size >= goal, { describe: `${goal} events`, timeoutMs: TIMEOUT_MS });
  return (orders * 1_000) / (performance.now() - startedAt);
}
