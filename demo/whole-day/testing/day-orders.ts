// Orders of a day: they live at the shop and at the merchant, and the books of all sides are compared.
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import type { DemoContext } from '../../play/step.ts';
import { differences, gondolasEntry, outcomeProblems, shopsEntry } from './day-books.ts';
import { finalCents, finalStatus, isTooLargeForEvents, moneyText, type PlannedOrder } from './day-plan.ts';
import { Merchant } from './merchant.ts';

const COMPARED_AT_ONCE = 60;
/** Statuses of orders that the ERP may never have received: never paid, or cancelled. */
const MAY_BE_UNHEARD = new Set([100, 250, 750, 800]);

export class DayOrders {
  readonly #context: DemoContext;
  readonly merchant: Merchant;
  readonly orders = new Map<number, PlannedOrder>();

  constructor(context: DemoContext) {
    this.#context = context;
    this.merchant = new Merchant(context);
  }

  /** Plays an order from the shopper's basket to its end. */
  async live(plan: PlannedOrder): Promise<void> {
    const { shop } = this.#context;
    const { fate, lines, deliveryType, window, freight } = plan;
    const items = lines.map(({ skuExternalReference, quantity, unitPrice }) => {
      return { skuExternalReference, quantity, unitPrice: Number(moneyText(unitPrice)) };
    });
    const payment = fate === 'payment refused' ? 'refused' : fate === 'never paid' ? 'pending' : 'approved';
    const { number } = await shop.playOrder({
      items,
      deliveryType,
      window,
      payment,
      freight: Number(moneyText(freight)),
    });
    this.orders.set(number, plan);
    if (payment !== 'approved') return;
    if (fate !== 'cancelled by the shop at once') return this.merchant.handle(number, plan);
    await shop.moveOrder(number, 750);
    await shop.moveOrder(number, 800);
  }

  /** True if the ERP never heard of an order, or it and Gondola have it as the shop does. */
  async isHadAlike(order: number): Promise<boolean> {
    const erps = this.merchant.entry(order);
    if (erps === null) return true;
    const atGondola = await this.#context.orders.show(order);
    const shops = shopsEntry(await this.#context.shop.order(order));
    return [erps, ...(atGondola === null ? [] : [gondolasEntry(atGondola)])].every(
      (entry) => differences(entry, shops).length === 0,
    );
  }

  /** Differences between the three books, by order, and commands without exactly one outcome. */
  async problems(): Promise<string[]> {
    const ofOrders: string[] = [];
    await someAtOnce([...this.orders], COMPARED_AT_ONCE, async ([order, plan]) => {
      ofOrders.push(...(await this.#problemsOf(order, plan)));
    });
    const ofCommands = this.merchant.sent().flatMap(({ commandId, command, orderNumber }) => {
      const problems = outcomeProblems(this.#context.erp.resultsOf(commandId));
      return problems.map((problem) => `${command} of ${orderNumber}: ${problem}`);
    });
    return [...ofOrders, ...ofCommands];
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
    const end = shops.status === finalStatus(plan) ? [] : [`the shop has it in ${shops.status}: ${plan.fate}`];
    const isCut = isTooLargeForEvents(plan);
    const cut = erps.hasSomeItems === isCut ? [] : [`the ERP was told ${isCut ? 'all' : 'only some'} of its items`];
    const total = erps.totals['total'];
    const planned = total === finalCents(plan) ? [] : [`the ERP's total is ${total}, and not ${finalCents(plan)}`];
    return [...open, ...end, ...planned, ...cut, ...ofErp, ...ofGondola].map((problem) => `${order}: ${problem}`);
  }
}
