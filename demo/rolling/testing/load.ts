import { waitFor } from '@gondola/local-stack/wait-for';
import { drawsOf } from '@gondola/local-stack/testing/seeded';
import { readCatalog } from '../../erp/catalog.ts';
import { TOPIC } from '../../erp/erp.ts';
import { type DemoContext, endsAs } from '../../play/step.ts';
import { DayOrders } from '../../whole-day/testing/day-orders.ts';
import { planDay } from '../../whole-day/testing/day-plan.ts';
import type { RolledGondola } from './rolled-gondola.ts';

const SEED = 30;
export const ORDERS_AT_ONCE = 4;
/** More orders than the roll-outs last for. */
const PLANS = 5_000;
const CHANGED = ['1078', '1147', '1208', '4711'];

/** Orders and product records, one after the other, until `stop`. */
export class Load {
  readonly day: DayOrders;
  readonly #context: DemoContext;
  readonly #prefix: string;
  /** Product records that were sent. */
  readonly products: { readonly commandId: string }[] = [];
  #isStopped = false;
  readonly #running: Promise<unknown>;

  constructor({ context, prefix }: RolledGondola) {
    this.day = new DayOrders(context);
    this.#context = context;
    this.#prefix = prefix;
    const plans = planDay(PLANS, drawsOf(SEED)).values();
    const orders = Array.from({ length: ORDERS_AT_ONCE }, async () => {
      for (const plan of plans) {
        if (this.#isStopped) break;
        await this.day.live(plan);
      }
    });
    this.#running = Promise.all([...orders, this.#changeProducts()]);
    this.#running.catch(() => this.day.merchant.leave());
  }

  /** Does `work` beside the load; rejects as soon as one of them does. */
  async during(work: () => Promise<void>): Promise<void> {
    const done = work();
    await Promise.race([done, this.#running.then(() => done)]);
  }

  /** Waits until this many more orders have begun. */
  async goOn(orders: number): Promise<void> {
    const until = this.day.orders.size + orders;
    await waitFor(() => this.day.orders.size >= until, { describe: `order ${until}` });
  }

  /** Finishes what has begun. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#running;
  }

  async #changeProducts(): Promise<void> {
    const { products } = await readCatalog(this.#prefix);
    const changed = products.filter(({ externalReference }) => CHANGED.includes(externalReference));
    while (!this.#isStopped) {
      const product = changed[this.products.length % changed.length]!;
      const recordId = `${this.#prefix}${this.products.length}`;
      this.products.push({ commandId: recordId });
      const value = { ...product, recordId, title: `${product.name} ${this.products.length}` };
      await this.#context.erp.send(TOPIC.products, [{ key: product.externalReference, value }]);
      await endsAs(this.#context, recordId, 'applied');
    }
  }
}
