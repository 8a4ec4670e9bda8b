import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '@gondola/local-stack/testing/median';
import { waitFor } from '@gondola/local-stack/wait-for';
import { type Bench, type BenchStack, type Say, sayDelays } from './bench.ts';
import { startBenchApp } from './bench-app.ts';
import { type Arrivals, type BenchRoom, openRoom, watchArrivals } from './bench-room.ts';
import type { Verdict } from './contest.ts';
import { openDoor } from './order-door.ts';
import { NO_RECOVERY, NOTIFICATIONS, notificationMessage, publishSkus, sendNotifications } from './order-messages.ts';
import { ORDER_ZERO, OrderNotifications } from './order-notifications.ts';
import { between, costOf, countStatements, statementsOf, type Usage, usageOf } from './usage.ts';

const LIFE = ['StartPreparation', 'MarkReady', 'Ship', 'ConfirmDelivery'] as const;
const WARM_UP = 10;
const LIVES = 50;
const MOST_STATEMENTS = 150;
const ROUNDS = 5;
const ORDERS_OF_A_ROUND = 1_500;
const EVENTS_PER_SECOND = 2_000;
const PACES = [
  { perSecond: 50, commands: 150, isShown: false },
  { perSecond: 5, commands: 100, isShown: true },
  { perSecond: 50, commands: 1_000, isShown: true },
] as const;
const TARGET_P99_MS = 150;
const TIMEOUT_MS = 300_000;

/**
 * The life of orders in a shop with known SKUs, through the whole app, at a platform that answers and notifies at once.
 * Shown, never checked.
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
    try {
      await publishSkus(room);
      const shop = new Shop(room, { events, results, reachedAt: platform.reachedAt, pid: app.pid, servers });
      return [await oneAfterAnother(shop, say), await commandsAtPaces(shop, say), await manyAtOnce(shop, say)];
    } finally {
      await events.stop();
      await results.stop();
      await app.stop();
      await platform.close();
      await room.close();
    }
  },
};

/**
 * Whole lives one after another, so that nothing is shared: payment approved, four commands, each with its call, its
 * notification and its result. Prints each statement and how often a life needs it.
 */
async function oneAfterAnother(shop: Shop, say: Say): Promise<Verdict> {
  const live = async (): Promise<void> => {
    const [order] = await shop.sell(1);
    for (const command of LIFE) await shop.until(await shop.send(command, order!));
  };
  for (let life = 0; life < WARM_UP; life += 1) await live();
  const before = await shop.statements();
  const used = await shop.usedBy(async () => {
    for (let life = 0; life < LIVES; life += 1) await live();
  });
  for (const [text, calls] of await shop.statements()) {
    const each = (calls - (before.get(text) ?? 0)) / LIVES;
    if (each >= 0.1) say(`${each.toFixed(1).padStart(6)}  ${text}`);
  }
  say(`an order's life, with ${LIFE.length} commands: ${costOf(used, LIVES)}`);
  const what = `${MOST_STATEMENTS} : statements of an order's life`;
  return { what, measured: MOST_STATEMENTS / (used.statements / LIVES), target: 1, atLeast: null };
}

/** Time from publishing a `StartPreparation` of a paid order until its PATCH reaches the platform. */
async function commandsAtPaces(shop: Shop, say: Say): Promise<Verdict> {
  let p99 = Number.NaN;
  for (const { perSecond, commands, isShown } of PACES) {
    const orders = await shop.sell(commands);
    const used = await shop.usedBy(async () => {
      const sentAt = await shop.sendAtPace('StartPreparation', orders, perSecond);
      if (!isShown) return;
      const delays = orders.map((order) => shop.given.reachedAt.get(order)! - sentAt.get(order)!);
      p99 = sayDelays(`topic to platform at ${perSecond}/s`, delays, say);
    });
    if (isShown) say(`each command, from its topic to its result: ${costOf(used, commands)}`);
  }
  const what = `${TARGET_P99_MS} ms : p99 at ${PACES[2].perSecond} commands/s`;
  return { what, measured: TARGET_P99_MS / p99, target: 1, atLeast: null };
}

/** Notifications of 6 kB, each of another order, from their topic to the events' topic. */
async function manyAtOnce(shop: Shop, say: Say): Promise<Verdict> {
  const figures: number[] = [];
  const used = await shop.usedBy(async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const startedAt = performance.now();
      await shop.sell(ORDERS_OF_A_ROUND);
      figures.push((ORDERS_OF_A_ROUND * 1_000) / (performance.now() - startedAt));
    }
  });
  const each = costOf(used, ROUNDS * ORDERS_OF_A_ROUND);
  say(`notifications to events (median of ${ROUNDS} rounds): ${median(figures).toFixed(0)}/s; each: ${each}`);
  const what = `notifications to events : ${EVENTS_PER_SECOND}/s`;
  return { what, measured: median(figures) / EVENTS_PER_SECOND, target: 1, atLeast: null };
}

interface ShopParts {
  readonly events: Arrivals;
  readonly results: Arrivals;
  /** Time at which the platform got the first call about an order. */
  readonly reachedAt: ReadonlyMap<number, number>;
  readonly pid: number;
  readonly servers: BenchStack;
}

/** Orders and commands of a shop, and what they cost. */
class Shop {
  readonly given: ShopParts;
  readonly #room: BenchRoom;
  readonly #notifications = new OrderNotifications(randomBytes(6).toString('hex'));
  #orders = 0;

  constructor(room: BenchRoom, given: ShopParts) {
    this.#room = room;
    this.given = given;
  }

  /** Notifies the payment of so many new orders; returns them once their events are read. */
  async sell(count: number): Promise<number[]> {
    const orders = Array.from({ length: count }, (_, index) => this.#orders + index);
    this.#orders += count;
    const goal = this.given.events.at.size + count;
    const messages = orders.map((order) => notificationMessage(order, this.#notifications.order(order)));
    await sendNotifications(this.#room, messages);
    await waitFor(() => this.given.events.at.size >= goal, { describe: `${goal} events`, timeoutMs: TIMEOUT_MS });
    return orders;
  }

  /** Publishes a command; returns its id. */
  async send(command: string, order: number): Promise<string> {
    const orderNumber = ORDER_ZERO + order;
    const commandId = `${command}-${order}`;
    const message = { key: String(orderNumber), value: JSON.stringify({ commandId, command, orderNumber }) };
    await this.#room.producer.send({ topic: 'erp.orders.commands.v1', acks: -1, messages: [message] });
    return commandId;
  }

  /**
   * Publishes a command for each order, without waiting for the broker: the next one is sent when it is due. Returns
   * the time of each once all are applied.
   */
  async sendAtPace(command: string, orders: readonly number[], perSecond: number): Promise<Map<number, number>> {
    const sentAt = new Map<number, number>();
    const startedAt = performance.now();
    const sends: Promise<string>[] = [];
    for (const [index, order] of orders.entries()) {
      const aheadMs = startedAt + (index * 1_000) / perSecond - performance.now();
      if (aheadMs > 0) await sleep(aheadMs);
      sentAt.set(order, performance.now());
      sends.push(this.send(command, order));
    }
    await this.until(...(await Promise.all(sends)));
    return sentAt;
  }

  /** Waits until commands are applied. */
  async until(...commandIds: readonly string[]): Promise<void> {
    const keys = commandIds.map((id) => `bench:result:erp.orders.commands.v1:${id}:applied`);
    const areApplied = () => keys.every((key) => this.given.results.at.has(key));
    await waitFor(areApplied, { describe: `${keys.length} commands`, timeoutMs: TIMEOUT_MS });
  }

  statements(): Promise<ReadonlyMap<string, number>> {
    return statementsOf(this.#room.database);
  }

  async usedBy(work: () => Promise<void>): Promise<Usage> {
    const { pid, servers } = this.given;
    const before = await usageOf(pid, servers, this.#room.database);
    await work();
    return between(before, await usageOf(pid, servers, this.#room.database));
  }
}
