import { join } from 'node:path';
import { testStack } from '@gondola/local-stack/test-stack';
import { waitFor } from '@gondola/local-stack/wait-for';
import { readByContract } from '@gondola/messaging/testing/read-by-contract';
import { describe, expect, it } from '@jest/globals';
import { loadTheShelf } from '../play/day/load-the-shelf.ts';
import { freshRun } from '../play/fresh-run.ts';
import { Reporter } from '../play/reporter.ts';
import type { DemoContext } from '../play/step.ts';
import { differences, gondolasEntry, outcomeProblems, shopsEntry } from './day-books.ts';
import { dayFaults } from './day-faults.ts';
import { finalCents, moneyText, planDay, type PlannedOrder } from './day-plan.ts';
import { drawsOf } from './draws.ts';
import { someAtOnce } from './some-at-once.ts';
import { Merchant } from './merchant.ts';

const ORDERS = Number(process.env['DAY_ORDERS'] ?? 500);
const AT_ONCE = 40;
const SEED = Number(process.env['DAY_SEED'] ?? 1);
const LIMIT_MS = ORDERS * 2_000 + 300_000;
/** A request of the shop's `/admin` waits for no longer. */
const QUIET_MS = 240_000;
/** What the shop has of an order of which the ERP need not hear: never paid, or cancelled. */
const MAY_BE_UNHEARD = new Set([100, 250, 750, 800]);

/** Short, so that silence ends within a test. */
const DEADLINES = { commandMs: 3_000, invoiceMs: 10_000, settleMs: 1_500 };
const RECOVERY = { callsPerMinute: 1_200, lookAgainMs: 500, lookups: 10 };

/** One day on fresh data: the shelf, the orders and their fates under faults, and the closing of the books. */
class Day {
  readonly #context: DemoContext;
  readonly merchant: Merchant;
  readonly orders = new Map<number, PlannedOrder>();

  constructor(context: DemoContext) {
    this.#context = context;
    this.merchant = new Merchant(context);
  }

  async open(): Promise<void> {
    await loadTheShelf(this.#context);
    await this.#context.shop.bend(...dayFaults(SEED));
  }

  /** All orders, some at a time; what was lost on the way is looked for as long as somebody waits for it. */
  async trade(plans: readonly PlannedOrder[]): Promise<void> {
    let isOver = false;
    const lives = someAtOnce(plans, AT_ONCE, (plan) => this.#live(plan)).finally(() => (isOver = true));
    try {
      await Promise.all([lives, this.#lookForLost(() => isOver)]);
    } catch (error) {
      this.merchant.leave();
      throw error;
    }
  }

  /** The faults end, and the ERP has every order read that it knows. */
  async close(): Promise<void> {
    await this.#context.shop.straighten();
    const known = [...this.orders.keys()].filter((order) => this.merchant.entry(order) !== null);
    await someAtOnce(known, AT_ONCE, (order) => this.merchant.refresh(order));
    await this.#context.shop.waitUntilQuiet(QUIET_MS);
  }

  /** Where the three books differ, order by order, and which commands have not their one outcome. */
  async problems(): Promise<string[]> {
    const ofOrders = await Promise.all([...this.orders].map(([order, plan]) => this.#problemsOf(order, plan)));
    const ofCommands = this.merchant.sent().flatMap(({ commandId, command, orderNumber }) => {
      const problems = outcomeProblems(this.#context.erp.resultsOf(commandId));
      return problems.map((problem) => `${command} of ${orderNumber}: ${problem}`);
    });
    return [...ofOrders.flat(), ...ofCommands];
  }

  async #live(plan: PlannedOrder): Promise<void> {
    const { shop } = this.#context;
    const { fate, lines, deliveryType, freight } = plan;
    const items = lines.map(({ skuExternalReference, quantity, unitPrice }) => {
      return { skuExternalReference, quantity, unitPrice: Number(moneyText(unitPrice)) };
    });
    const payment = fate === 'payment refused' ? 'refused' : fate === 'never paid' ? 'pending' : 'approved';
    const { number } = await shop.playOrder({ items, deliveryType, payment, freight: Number(moneyText(freight)) });
    this.orders.set(number, plan);
    if (payment !== 'approved') return;
    if (fate !== 'cancelled by the shop at once') return this.merchant.handle(number, plan);
    await shop.moveOrder(number, 750);
    await shop.moveOrder(number, 800);
  }

  async #lookForLost(isOver: () => boolean): Promise<void> {
    const { orders } = this.#context;
    while (!isOver()) {
      await waitFor(() => isOver() || this.orders.size > 0, { describe: 'the first order' });
      if (this.orders.size === 0) return;
      const { id } = await orders.recover(Math.min(...this.orders.keys()), Math.max(...this.orders.keys()));
      const isFinished = async () => isOver() || (await orders.recovery(id))?.finishedAt != null;
      await waitFor(isFinished, { describe: 'the end of a recovery', timeoutMs: LIMIT_MS });
    }
  }

  async #problemsOf(order: number, plan: PlannedOrder): Promise<string[]> {
    const inShop = await this.#context.shop.order(order);
    const atGondola = await this.#context.orders.show(order);
    const erps = this.merchant.entry(order);
    const shops = shopsEntry(inShop);
    if (erps === null) return MAY_BE_UNHEARD.has(inShop.status) ? [] : [`${order}: the ERP never heard of it`];
    if (atGondola === null) return [`${order}: Gondola does not know it`];
    const open = atGondola.openCommands.map(({ command }) => `Gondola has ${command} open`);
    const ofErp = differences(erps, shops).map((difference) => `ERP and shop: ${difference}`);
    const ofGondola = differences(gondolasEntry(atGondola), shops).map(
      (difference) => `Gondola and shop: ${difference}`,
    );
    const total = erps.totals['total'];
    const planned = total === finalCents(plan) ? [] : [`the ERP's total is ${total}, and not ${finalCents(plan)}`];
    return [...open, ...planned, ...ofErp, ...ofGondola].map((problem) => `${order}: ${problem}`);
  }
}

describe('a day at the shop', () => {
  it(
    `ends with the books of the ERP, of Gondola and of the shop equal to the cent, under faults of every kind (${ORDERS} orders)`,
    async () => {
      const reporter = new Reporter({ write: () => true, isTTY: false });
      const { kafkaBrokers, databaseUrl } = testStack();
      const options = {
        reporter,
        logDir: join(import.meta.dirname, '../test-results/whole-day'),
        external: { kafkaBrokers, databaseUrl },
        stepTimeoutMs: LIMIT_MS,
        tenant: { deadlines: DEADLINES, recovery: RECOVERY },
        env: { CANCEL_READ_MS: '500', CANCEL_READ_MAX_MS: '2000', LOST_ANSWER_MS: '200' },
      };
      await freshRun(options, async ({ context, prefix }) => {
        const day = new Day(context);
        await day.open();
        await day.trade(planDay(ORDERS, drawsOf(SEED)));
        await day.close();
        await waitFor(async () => (await day.problems()).length === 0, { describe: 'equal books' }).catch(() => {});
        expect(await day.problems()).toEqual([]);
        expect(day.orders.size).toBe(ORDERS);
        await readByContract(prefix);
      });
    },
    LIMIT_MS,
  );
});
