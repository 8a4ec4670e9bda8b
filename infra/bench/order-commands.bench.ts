import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitFor } from '@gondola/local-stack/wait-for';
import { startBenchApp } from './bench-app.ts';
import { type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import { type Bench, sayDelays } from './bench.ts';
import { openDoor } from './order-door.ts';
import { NO_RECOVERY, NOTIFICATIONS, notificationMessage, sendNotifications } from './order-messages.ts';
import { ORDER_ZERO, OrderNotifications } from './order-notifications.ts';
import { between, costOf, countStatements, usageOf } from './usage.ts';

const TARGET_P99_MS = 150;
const TIMEOUT_MS = 300_000;

/** Number of commands, and commands per second. */
interface Pace {
  readonly perSecond: number;
  readonly commands: number;
}

const WARM_UP: Pace = { perSecond: 50, commands: 150 };
const QUIET: Pace = { perSecond: 5, commands: 100 };
const BUSY: Pace = { perSecond: 50, commands: 1_000 };

/**
 * Time from publishing a `StartPreparation` of a paid order until its PATCH reaches the platform, at 5 and at 50 a
 * second, through the whole app. The platform answers at once and notifies the new status, so that every command is
 * concluded. Shown, never checked.
 */
export const orderCommandsBench: Bench = {
  name: 'order-commands',
  run: async (servers, say) => {
    await countStatements(servers);
    const room = await openRoom(servers, [NOTIFICATIONS]);
    const platform = await openDoor(room);
    const app = await startBenchApp(servers, {
      app: 'order-command-handler',
      platform: { baseUrl: platform.url },
      tenant: { recovery: NO_RECOVERY },
    });
    const events = await watchArrivals(room, 'erp.orders.events.v1');
    const results = await watchArrivals(room, 'erp.orders.results.v1');
    const orders = Array.from({ length: WARM_UP.commands + QUIET.commands + BUSY.commands }, (_, index) => index);
    const measure = async (pace: Pace): Promise<number[]> => {
      const mine = orders.splice(0, pace.commands);
      const sentAt = await sendCommands(room, mine, pace.perSecond);
      await waitFor(() => mine.every((order) => results.at.has(appliedKey(order))), {
        describe: `${mine.length} commands that are applied`,
        timeoutMs: TIMEOUT_MS,
      });
      return mine.map((order) => platform.reachedAt.get(order)! - sentAt.get(order)!);
    };
    try {
      await pay(room, orders);
      await waitFor(() => events.at.size >= orders.length, { describe: 'every paid order', timeoutMs: TIMEOUT_MS });
      await measure(WARM_UP);
      sayDelays(`topic to platform at ${QUIET.perSecond}/s`, await measure(QUIET), say);
      const before = await usageOf(app.pid, servers, room.database);
      const p99 = sayDelays(`topic to platform at ${BUSY.perSecond}/s`, await measure(BUSY), say);
      const used = between(before, await usageOf(app.pid, servers, room.database));
      say(`each command, from its topic to its result: ${costOf(used, BUSY.commands)}`);
      const what = `${TARGET_P99_MS} ms : p99 at ${BUSY.perSecond} commands/s`;
      return [{ what, measured: TARGET_P99_MS / p99, target: 1, atLeast: null }];
    } finally {
      await events.stop();
      await results.stop();
      await app.stop();
      await platform.close();
      await room.close();
    }
  },
};

async function pay(room: BenchRoom, orders: readonly number[]): Promise<void> {
  const notifications = new OrderNotifications(newRun());
  const messages = orders.map((order) => notificationMessage(order, notifications.order(order)));
  await sendNotifications(room, messages);
}

/** Publishes without waiting for the broker: the next command is sent when it is due. */
async function sendCommands({ producer }: BenchRoom, orders: readonly number[], perSecond: number) {
  const sentAt = new Map<number, number>();
  const startedAt = performance.now();
  const sends: Promise<unknown>[] = [];
  for (const [index, order] of orders.entries()) {
    const aheadMs = startedAt + (index * 1_000) / perSecond - performance.now();
    if (aheadMs > 0) await sleep(aheadMs);
    const orderNumber = ORDER_ZERO + order;
    const value = JSON.stringify({ commandId: commandId(order), command: 'StartPreparation', orderNumber });
    sentAt.set(order, performance.now());
    sends.push(
      producer.send({ topic: 'erp.orders.commands.v1', acks: -1, messages: [{ key: String(orderNumber), value }] }),
    );
  }
  await Promise.all(sends);
  return sentAt;
}

const commandId = (order: number): string => `c-${order}`;
const appliedKey = (order: number): string => `bench:result:erp.orders.commands.v1:${commandId(order)}:applied`;
const newRun = (): string => randomBytes(6).toString('hex');
