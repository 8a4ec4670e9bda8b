import { isDeepStrictEqual } from 'node:util';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { TestSandbox } from '@gondola/local-stack/testing/test-sandbox';
import { Merchant } from '../support/shop.ts';
import { allFaults, LONGEST_DELAY_MS } from './all-faults.ts';
import { type Dice, diceOf } from './dice.ts';
import { Errands, type PlacedOrder } from './errands.ts';
import { recordsOf, type Evidence, type FaultView, type OrderView, type ProductView } from './evidence.ts';
import { keyOf } from './ledger.ts';
import { MoodyReceiver, sha256Of } from './moody-receiver.ts';
import { Client } from './patient-client.ts';
import { type PlannedOrder, plannedOrders } from './planned-orders.ts';
import { type PlannedProduct, plannedProducts, SHELF } from './planned-products.ts';
import { Pulse, type Beat } from './pulse.ts';

export interface ChaosSize {
  readonly products: number;
  readonly orders: number;
  /** Numbers of deliveries after which the sandbox is killed; absent: it is never killed. */
  readonly killAfter?: (dice: Dice) => readonly number[];
}

interface ChaosPlan {
  readonly dice: Dice;
  readonly products: readonly PlannedProduct[];
  readonly orders: readonly PlannedOrder[];
  /** Faults in the form of the admin API. */
  readonly faults: readonly object[];
  /**
   * Numbers of deliveries, rising. After each the sandbox is killed, while the last delivery waits for its answer,
   * and started again.
   */
  readonly killAfter: readonly number[];
}

const ENDINGS = ['Created', 'Updated', 'CreationFailed', 'UpdateFailed', 'PartiallyFailed'];
const EVENTS = ['Order_Updated', 'Order_StatusUpdateFailed', 'Order_CancelFailed', 'Operation_Failed'].concat(
  ENDINGS.map((ending) => `ProductWithSKUs_${ending}`),
);
const BATCH = 25;
const PRODUCTS_AT_ONCE = 4;
const ORDERS_AT_ONCE = 16;
const ADMIN_CALLS_AT_ONCE = 4;
const MOST_REPAIRS = 20;
/** The checks use the whole history, and read it from the journal, which no snapshot may replace. */
const HISTORY = { HISTORY_KEPT: '10000000', JOURNAL_MAX_BYTES: '10000000000' };
const SETTINGS = { ...HISTORY, WEBHOOK_CONCURRENCY: '16', WEBHOOK_TIMEOUT_MS: '400', LOG_LEVEL: 'fatal' };

/** A separate sandbox process, with a merchant and a receiver that use it. */
export class ChaosRun {
  private readonly options: ChaosPlan;
  private readonly merchant = new Merchant();
  private readonly client: Client;
  private readonly receiver: MoodyReceiver;
  private readonly pulse: Pulse;
  private readonly errands: Errands;
  private readonly sandbox: TestSandbox;
  private restarting: Promise<void> | undefined;
  private isRestarting = false;
  /** Number of deliveries before the work began; kills are counted from there. */
  private arrivedBefore = Number.POSITIVE_INFINITY;
  /** Number of kills of the sandbox. */
  kills = 0;

  private constructor(parts: { options: ChaosPlan; receiver: MoodyReceiver; pulse: Pulse; sandbox: TestSandbox }) {
    this.options = parts.options;
    this.receiver = parts.receiver;
    this.sandbox = parts.sandbox;
    this.pulse = parts.pulse;
    this.client = new Client({
      merchant: this.merchant,
      dice: this.options.dice,
      baseUrl: () => this.sandbox.url,
      isUp: async () => this.restarting,
    });
    this.errands = new Errands(this.client, this.pulse, this.options.dice);
  }

  /** Opens a run with all faults that its books can judge; the seed decides all that is random in it. */
  static async open(seed: number, { products, orders, killAfter }: ChaosSize): Promise<ChaosRun> {
    const dice = diceOf(seed);
    const options = {
      dice,
      products: plannedProducts(dice, products),
      orders: plannedOrders(dice, orders),
      faults: allFaults(seed),
      killAfter: killAfter?.(dice) ?? [],
    };
    let run: ChaosRun | undefined;
    const shares = { refuses: 0.1, drops: 0.05, hangs: 0.01 };
    const onArrival = (arrivals: number): Promise<void> | undefined => run?.killIfDue(arrivals);
    const receiver = await MoodyReceiver.listen({ dice, shares, onArrival });
    const sandbox = await TestSandbox.start('chaos', SETTINGS, true);
    const pulse = new Pulse(
      async () => run?.overview(),
      () => run?.stands() ?? '',
    );
    run = new ChaosRun({ options, receiver, pulse, sandbox });
    await run.prepare();
    return run;
  }

  /** Carries out the whole plan until the sandbox is idle, and returns the evidence. */
  async play(): Promise<Evidence> {
    const placed = await someAtOnce(this.options.orders, ADMIN_CALLS_AT_ONCE, (order) => this.place(order));
    await this.quiet();
    await this.sandbox.admin('POST', '/faults', this.options.faults);
    this.arrivedBefore = this.receiver.arrivals.length;
    const batches = chunks(this.options.products, BATCH);
    await Promise.all([
      someAtOnce(batches, PRODUCTS_AT_ONCE, (batch) => this.errands.load(batch)),
      someAtOnce(placed, ORDERS_AT_ONCE, (order) => this.errands.fulfil(order)),
    ]);
    await this.repair(placed);
    return this.evidence(placed);
  }

  async close(): Promise<void> {
    await this.restarting;
    await this.pulse.close();
    await this.sandbox.close();
    await this.receiver.close();
  }

  private async prepare(): Promise<void> {
    const { contractAccountId, username, password, apiKey, headers } = this.merchant;
    await this.sandbox.admin('POST', '/tenants', { contractAccountId, username, password, apiKey });
    await this.sandbox.admin('POST', '/switches', { refundsByItself: true });
    const registration = { originType: 'Api_call', originData: 'chaos', url: this.receiver.url, eventTypes: EVENTS };
    const init = { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const answer = await fetch(`${this.sandbox.url}/v1/Webhooks`, { ...init, body: JSON.stringify(registration) });
    if (!answer.ok) throw new Error(`the webhook was answered ${answer.status}: ${await answer.text()}`);
    const key = keyOf(
      'product',
      SHELF.map((item) => JSON.stringify(item)),
    );
    await this.client.change(key, 'POST', '/v1/batch/Products', SHELF);
    await this.quiet();
  }

  private async place(order: PlannedOrder): Promise<PlacedOrder> {
    const items = order.lines.map(({ skuExternalReference, quantity, unitPriceCents }) => ({
      skuExternalReference,
      quantity,
      unitPrice: (unitPriceCents / 100).toFixed(2),
    }));
    const answer = await this.sandbox.admin('POST', '/orders', { items, payment: order.payment });
    return { ...order, ...(answer as { number: number; id: string }) };
  }

  /** Repeats the orders' steps, because a call that was given up may still be taken after later ones. */
  private async repair(placed: readonly PlacedOrder[]): Promise<void> {
    for (let round = 0; round < MOST_REPAIRS; round += 1) {
      await this.client.afterGivenUp(2 * LONGEST_DELAY_MS);
      await this.quiet();
      const repaired = await someAtOnce(placed, ORDERS_AT_ONCE, async (order) => {
        const goal = order.steps.at(-1);
        if (goal === undefined || (await this.errands.isAchieved(order, goal))) return false;
        await this.errands.achieve(order, goal);
        return true;
      });
      if (!repaired.includes(true)) return;
    }
    throw new Error('the orders do not come to rest where they should');
  }

  /** Collects the evidence anew if the platform accepted a call meanwhile that was given up long before. */
  private async evidence(placed: readonly PlacedOrder[]): Promise<Evidence> {
    await this.client.afterGivenUp(2 * LONGEST_DELAY_MS);
    await this.quiet();
    const before = await this.records();
    const references = this.options.products.map(({ reference }) => reference);
    const shown = await someAtOnce([...references, 'shelf', 'jar'], ADMIN_CALLS_AT_ONCE, (reference) =>
      this.product(reference),
    );
    const orders = await someAtOnce(placed, ADMIN_CALLS_AT_ONCE, ({ number }) =>
      this.sandbox.admin('GET', `/orders/${number}`),
    );
    const letters = await this.deadLetters();
    const faults = (await this.sandbox.admin('GET', '/faults')) as FaultView[];
    await this.quiet();
    const records = await this.records();
    if (!isDeepStrictEqual(records, before)) return this.evidence(placed);
    const { calls } = this.client;
    return {
      calls,
      placed,
      ...records,
      faults,
      arrivals: this.receiver.arrivals,
      deadLetters: letters.map(({ bodyBase64 }) => sha256Of(Buffer.from(bodyBase64, 'base64'))),
      products: new Map(shown.flatMap((entry) => (entry ? [entry] : []))),
      orders: new Map((orders as OrderView[]).map((order) => [order.number, order])),
    };
  }

  private async records(): Promise<Awaited<ReturnType<typeof recordsOf>>> {
    return recordsOf(this.sandbox.dataDir);
  }

  /** Of all pages: a slow machine has more of them than one page shows. */
  private async deadLetters(): Promise<{ bodyBase64: string }[]> {
    const letters: { bodyBase64: string }[] = [];
    let after: string | null = '';
    do {
      const response = await fetch(`${this.sandbox.url}/admin/dead-letters${after === '' ? '' : `?after=${after}`}`);
      letters.push(...((await response.json()) as { bodyBase64: string }[]));
      after = response.headers.get('x-next-after');
    } while (after !== null);
    return letters;
  }

  /** Undefined while the sandbox is killed. */
  private async overview(): Promise<Beat | undefined> {
    return this.sandbox.admin('GET', '/overview').then(
      (beat) => beat as Beat,
      () => undefined,
    );
  }

  private async product(reference: string): Promise<[string, ProductView] | undefined> {
    const shown = await this.sandbox.admin('GET', `/products/${reference}`);
    return shown === undefined ? undefined : [reference, shown as ProductView];
  }

  /** Waits until core and sender are idle, also across kills. */
  private async quiet(): Promise<void> {
    await this.pulse.quiet();
    await this.restarting;
  }

  private stands(): string {
    return `${this.client.made} calls, ${this.receiver.arrivals.length} deliveries arrived, ${this.kills} kills`;
  }

  /** Kills once at a time: deliveries that arrived before a kill may still be counted while the sandbox starts. */
  private killIfDue(arrivals: number): Promise<void> | undefined {
    const next = this.options.killAfter[this.kills];
    if (this.isRestarting || next === undefined || arrivals - this.arrivedBefore < next) return undefined;
    this.restarting = this.killAndStart();
    return this.restarting;
  }

  private async killAndStart(): Promise<void> {
    this.kills += 1;
    this.isRestarting = true;
    await this.sandbox.restart();
    this.isRestarting = false;
  }
}

function chunks<T>(all: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, index) =>
    all.slice(index * size, (index + 1) * size),
  );
}
