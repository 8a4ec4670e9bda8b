import { randomBytes } from 'node:crypto';
import { waitFor } from '@gondola/local-stack/wait-for';
import type { Bench } from './bench.ts';
import { startBenchApp } from './bench-app.ts';
import { openRoom, watchArrivals } from './bench-room.ts';
import { openDoor } from './order-door.ts';
import { NO_RECOVERY, NOTIFICATIONS, notificationMessage, publishSkus, sendNotifications } from './order-messages.ts';
import { ORDER_ZERO, OrderNotifications } from './order-notifications.ts';
import { between, costOf, countStatements, statementsOf, usageOf } from './usage.ts';

const COMMANDS = ['StartPreparation', 'MarkReady', 'Ship', 'ConfirmDelivery'] as const;
const WARM_UP = 10;
const LIVES = 50;
const MOST_STATEMENTS = 150;
const TIMEOUT_MS = 60_000;

/**
 * Whole lives of orders one after another, so that nothing is shared: payment approved, four commands, each with its
 * call, its notification and its result. Prints each statement and how often a life needs it. Shown, never checked.
 */
export const orderLifeBench: Bench = {
  name: 'order-life',
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
    const notifications = new OrderNotifications(randomBytes(6).toString('hex'));
    await publishSkus(room);
    const live = async (order: number): Promise<void> => {
      const goal = events.at.size + 1;
      await sendNotifications(room, [notificationMessage(order, notifications.order(order))]);
      await waitFor(() => events.at.size >= goal, { describe: `order ${order}`, timeoutMs: TIMEOUT_MS });
      for (const command of COMMANDS) {
        const orderNumber = ORDER_ZERO + order;
        const commandId = `${command}-${order}`;
        const message = { key: String(orderNumber), value: JSON.stringify({ commandId, command, orderNumber }) };
        await room.producer.send({ topic: 'erp.orders.commands.v1', acks: -1, messages: [message] });
        const key = `bench:result:erp.orders.commands.v1:${commandId}:applied`;
        await waitFor(() => results.at.has(key), { describe: commandId, timeoutMs: TIMEOUT_MS });
      }
    };
    try {
      for (let order = 0; order < WARM_UP; order += 1) await live(order);
      const before = [await statementsOf(room.database), await usageOf(app.pid, servers, room.database)] as const;
      for (let order = WARM_UP; order < WARM_UP + LIVES; order += 1) await live(order);
      const used = between(before[1], await usageOf(app.pid, servers, room.database));
      for (const [text, calls] of await statementsOf(room.database)) {
        const each = (calls - (before[0].get(text) ?? 0)) / LIVES;
        if (each >= 0.1) say(`${each.toFixed(1).padStart(6)}  ${text}`);
      }
      say(`an order's life, with ${COMMANDS.length} commands: ${costOf(used, LIVES)}`);
      const what = `${MOST_STATEMENTS} : statements of an order's life`;
      return [{ what, measured: MOST_STATEMENTS / (used.statements / LIVES), target: 1, atLeast: null }];
    } finally {
      await events.stop();
      await results.stop();
      await app.stop();
      await platform.close();
      await room.close();
    }
  },
};
