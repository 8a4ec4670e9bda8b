import { randomBytes } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Bench } from './bench.ts';
import { type BenchRoom, openRoom } from './bench-room.ts';
import { median } from './contest.ts';
import {
  EVENTS,
  NOTIFICATIONS,
  notificationMessage,
  publishSkus,
  sendNotifications,
  startOrderApp,
  watchKeys,
} from './order-app.ts';
import { OrderNotifications } from './order-notifications.ts';

const ROUNDS = 5;
const ORDERS = 1_500;
const TARGET_PER_SECOND = 600;
const TIMEOUT_MS = 120_000;
const SCHEMA = 'bench_order_events';
// No platform is called: the orders have no commands and stay within their limits.
const NO_PLATFORM = 'http://127.0.0.1:9';

/**
 * Notifications of 6 kB, each of another order in a shop with known SKUs, from their topic through the whole app to
 * the events' topic, with the time of each phase. Shown, never checked.
 */
export const orderEventsBench: Bench = {
  name: 'order-events',
  run: async (servers, say) => {
    const room = await openRoom(servers, 'bench_order_events_room', [], NOTIFICATIONS);
    const app = await startOrderApp(servers, SCHEMA, NO_PLATFORM);
    const { seen, stop } = await watchKeys(room, EVENTS);
    const databaseMs = async (): Promise<number> => {
      const text = 'SELECT active_time AS ms FROM pg_stat_database WHERE datname = current_database()';
      return (await room.database.query<{ ms: number }>(text)).rows[0]!.ms;
    };
    try {
      await publishSkus(room, SCHEMA);
      await send(room, seen, 1);
      await app.report();
      const databaseBefore = await databaseMs();
      const figures: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) figures.push(await send(room, seen, ORDERS));
      const { phases, cpuMs } = await app.report();
      const perThousand = (ms: number): string => ((ms * 1_000) / (ROUNDS * ORDERS)).toFixed(0).padStart(8);
      say(
        `notifications to events, topic to topic (median of ${ROUNDS} rounds of ${ORDERS}): ${median(figures).toFixed(0)}/s`,
      );
      say('ms for 1000 notifications; what runs side by side counts twice');
      for (const [name, { calls, ms }] of Object.entries(phases)) {
        say(`  ${name.padEnd(22)}${perThousand(ms)}   in ${calls} calls`);
      }
      say(`  ${'processor of the app'.padEnd(22)}${perThousand(cpuMs)}`);
      say(`  ${'database, executing'.padEnd(22)}${perThousand((await databaseMs()) - databaseBefore)}`);
      const what = `notifications to events : ${TARGET_PER_SECOND}/s`;
      return [{ what, measured: median(figures) / TARGET_PER_SECOND, target: 1, atLeast: null }];
    } finally {
      await stop();
      await app.stop();
      await room.close();
    }
  },
};

/** Publishes notifications of new orders, and returns the rate of their events per second. */
async function send(room: BenchRoom, seen: Set<string>, orders: number): Promise<number> {
  const notifications = new OrderNotifications(randomBytes(6).toString('hex'));
  const first = Number.parseInt(randomBytes(3).toString('hex'), 16) * 10;
  const goal = seen.size + orders;
  const messages = Array.from({ length: orders }, (_, index) =>
    notificationMessage(first + index, notifications.order(first + index)),
  );
  const startedAt = performance.now();
  await sendNotifications(room, messages);
  await waitFor(() => seen.size >= goal, { describe: `${goal} events`, timeoutMs: TIMEOUT_MS });
  return (orders * 1_000) / (performance.now() - startedAt);
}
