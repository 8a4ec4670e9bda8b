import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testStack } from '@gondola/local-stack/test-stack';
import { readTopics } from '@gondola/local-stack/testing/topic-reader';
import { drawsOf } from '@gondola/local-stack/testing/seeded';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { MINUTE_MS } from '@gondola/shared/durations';
import { describe, expect, it } from '@jest/globals';
import { type Admin, Kafka, logLevel } from 'kafkajs';
import { Client } from 'pg';
import { TOPIC } from './erp/erp.ts';
import { loadTheShelf } from './play/day/load-the-shelf.ts';
import { APPS, type AppName, type Gondola, ROOT, schemaOf } from './play/gondola.ts';
import { snapshot } from './testing/snapshot.ts';
import { testRun } from './testing/test-run.ts';
import { differences, outcomeProblems, shopsEntry } from './whole-day/testing/day-books.ts';
import { moneyText, planDay, type PlannedOrder } from './whole-day/testing/day-plan.ts';
import { Merchant } from './whole-day/testing/merchant.ts';

/** Orders of each part: before the snapshot, under way at it, after it, and under way at the end. */
const ORDERS = 8;
const SEED = 7;
const OPEN = 4;
/** While commands have to be open together: a fast machine ends each of them within moments. */
const NOTIFIED_LATE = { kind: 'webhook-delay', share: 1, ms: 5_000 };
const OURS = APPS.filter((app) => app !== 'platform-sandbox' && app !== 'console');
/** Never read again: what has a result was carried out. */
const COMMANDS = new Set<string>([TOPIC.orderCommands, TOPIC.fileCommands]);
const ORDER_APP = 'order-command-handler';
const BEYOND = 1_000;
/** Margin of the offsets before the snapshot (docs/backup.md): what was on a topic then may not have been read yet. */
const MARGIN_MS = MINUTE_MS;

/** The blocks of SQL of docs/backup.md, in their order. */
const [FORGET_OPEN, PUBLISH_AGAIN, SEND_AGAIN] = [
  ...readFileSync(join(ROOT, 'docs/backup.md'), 'utf8').matchAll(/^ *```sql\n([\s\S]*?)^ *```/gm),
].map(([, sql]) => sql!) as [string, string, string];

/** The shop, its merchant, and the means of whoever restores. */
class RestoredShop {
  readonly merchant: Merchant;
  readonly orders: number[] = [];
  readonly #gondola: Gondola;
  readonly #admin: Admin;
  readonly #database: Client;

  constructor(gondola: Gondola, admin: Admin, database: Client) {
    this.#gondola = gondola;
    this.#admin = admin;
    this.#database = database;
    this.merchant = new Merchant(gondola.context);
  }

  /** Lives of orders to their last step. */
  live(plans: readonly PlannedOrder[]): Promise<unknown> {
    return Promise.all(plans.map((plan) => this.#live(plan)));
  }

  async #live(plan: PlannedOrder): Promise<void> {
    await this.merchant.handle(await this.#played(plan), plan);
  }

  async #played(plan: PlannedOrder): Promise<number> {
    const items = plan.lines.map(({ skuExternalReference, quantity, unitPrice }) => {
      return { skuExternalReference, quantity, unitPrice: Number(moneyText(unitPrice)) };
    });
    const { deliveryType } = plan;
    const freight = Number(moneyText(plan.freight));
    const { number } = await this.#gondola.context.shop.playOrder({
      items,
      deliveryType,
      payment: 'approved',
      freight,
    });
    this.orders.push(number);
    return number;
  }

  /** An order that the ERP knows as approved. */
  async approved(plan: PlannedOrder): Promise<number> {
    const number = await this.#played(plan);
    const { erp } = this.#gondola.context;
    const isApproved = () => erp.eventsOf(number).some(({ type }) => type === 'OrderApproved');
    await waitFor(isApproved, { describe: `the approval of ${number}` });
    return number;
  }

  /**
   * Stops the apps while some commands are open at the platform; the returned function starts them again. Commands may
   * end until the apps have stopped, so those that are open then count.
   *
   * @param unheard what happens in the shop while order-command-handler has stopped already, and the others have not
   */
  async stopWithOpenCommands(unheard: () => Promise<void> = async () => {}): Promise<() => Promise<void>> {
    const { shop } = this.#gondola.context;
    const startOrderApp = await this.stopOrderAppWithOpenCommands();
    if (await this.#areOpen()) await unheard();
    await shop.pauseSender(true);
    const startOthers = await this.stop(OURS.filter((app) => app !== ORDER_APP));
    const start = async () => {
      await Promise.all([startOrderApp(), startOthers()]);
      await shop.pauseSender(false);
    };
    if (await this.#areOpen()) return start;
    await start();
    return this.stopWithOpenCommands(unheard);
  }

  /** Stops order-command-handler while some commands are open; the returned function starts it again. */
  async stopOrderAppWithOpenCommands(): Promise<() => Promise<void>> {
    const { shop } = this.#gondola.context;
    await shop.bend(NOTIFIED_LATE);
    await waitFor(() => this.#areOpen(), { describe: `${OPEN} open commands` });
    const start = await this.stop([ORDER_APP]);
    await shop.straighten();
    return start;
  }

  async #areOpen(): Promise<boolean> {
    return (await this.numberOf('commands', `state = 'open'`)) >= OPEN;
  }

  /** The shop cancels an order, and its notifications reach the topic. */
  async cancel(number: number): Promise<void> {
    const { shop } = this.#gondola.context;
    for (const status of [750, 800]) await shop.moveOrder(number, status);
    await shop.waitUntilQuiet(ANSWER_LIMIT_MS);
    const unsent = `SELECT FROM ${this.schema('webhook-ingest')}.notifications WHERE topic IS NOT NULL AND sent_at IS NULL`;
    const areSent = async () => (await this.#database.query(unsent)).rowCount === 0;
    await waitFor(areSent, { describe: 'all notifications on their topics' });
  }

  async stop(apps: readonly AppName[]): Promise<() => Promise<void>> {
    const starts = await Promise.all(apps.map((app) => this.#gondola.supervisor.takeAway(app)));
    return async () => void (await Promise.all(starts.map((start) => start())));
  }

  schema(app: AppName): string {
    return schemaOf(this.#gondola.prefix, app);
  }

  async numberOf(table: string, where: string): Promise<number> {
    const text = `SELECT count(*)::int AS n FROM ${this.schema(ORDER_APP)}.${table} WHERE ${where}`;
    return (await this.#database.query<{ n: number }>(text)).rows[0]!.n;
  }

  /** Number of orders' notifications that order-command-handler does not have. */
  async missingFacts(): Promise<number> {
    const { rows } = await this.#database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${this.schema('webhook-ingest')}.notifications AS received
       WHERE related_entity = 'Order' AND NOT EXISTS (
         SELECT 1 FROM ${this.schema(ORDER_APP)}.order_facts AS fact WHERE fact.dedup_key = received.dedup_key)`,
    );
    return rows[0]!.n;
  }

  /** Statements of docs/backup.md, with the names of this run's schemas. */
  async run(sql: string, since: Date): Promise<void> {
    const own = OURS.reduce((text, app) => text.replaceAll(app.replaceAll('-', '_'), this.schema(app)), sql);
    await this.#database.query(own.replaceAll(/:(?:restored_to|lost_since)/g, `'${since.toISOString()}'`));
  }

  /** Kafka has none of the records, and the groups read beyond its end. */
  async loseRecords(): Promise<void> {
    const { prefix } = this.#gondola;
    for (const app of OURS) {
      const groupId = `${prefix}gondola.${app}`;
      for (const { topic } of await this.#admin.fetchOffsets({ groupId })) {
        // Kafka deletes no records of a compacted topic.
        if (topic === `${prefix}catalog.skus.v1`) continue;
        const ends = await this.#admin.fetchTopicOffsets(topic);
        const all = ends.map(({ partition }) => ({ partition, offset: '-1' }));
        await this.#admin.deleteTopicRecords({ topic, partitions: all });
        const beyond = ends.map(({ partition, offset }) => ({ partition, offset: String(Number(offset) + BEYOND) }));
        await this.#admin.setOffsets({ groupId, topic, partitions: beyond });
      }
    }
  }

  /** Has each group read the topics again from a time on, except those of commands. */
  async readAgain(since: number): Promise<void> {
    const { prefix } = this.#gondola;
    for (const app of OURS) {
      const groupId = `${prefix}gondola.${app}`;
      for (const { topic } of await this.#admin.fetchOffsets({ groupId })) {
        if (COMMANDS.has(topic.slice(prefix.length))) continue;
        const partitions = await this.#admin.fetchTopicOffsetsByTimestamp(topic, since);
        await this.#admin.setOffsets({ groupId, topic, partitions });
      }
    }
  }

  /** Waits until the apps have read all topics, and have published what follows. */
  async caughtUp(): Promise<void> {
    const { prefix } = this.#gondola;
    const lag = async (): Promise<number> => {
      let behind = 0;
      for (const app of OURS) {
        for (const { topic, partitions } of await this.#admin.fetchOffsets({ groupId: `${prefix}gondola.${app}` })) {
          const ends = await this.#admin.fetchTopicOffsets(topic);
          for (const { partition, offset } of partitions) {
            const end = ends.find((each) => each.partition === partition)!;
            behind += Number(offset) < 0 ? 0 : Number(end.offset) - Number(offset);
          }
        }
      }
      return behind;
    };
    await waitFor(async () => (await lag()) === 0, { describe: 'no lag' });
    const isQuiet = async () =>
      (await this.numberOf('outbox', 'true')) === 0 &&
      (await this.numberOf('lanes', `due_at <= now() OR lease_until IS NOT NULL`)) === 0;
    await waitFor(isQuiet, { describe: 'quiet lanes' });
  }

  /** Repeats the commands without a final result, as the ERP does. */
  async repeatUnanswered(): Promise<string[]> {
    const { erp } = this.#gondola.context;
    const unanswered = this.merchant.sent().filter(({ commandId }) => erp.endOf(commandId) === undefined);
    const records = unanswered.map((value) => ({ key: String(value.orderNumber), value }));
    await erp.send(TOPIC.orderCommands, records);
    return unanswered.map(({ commandId }) => commandId);
  }

  /** Number of records with the id of an earlier one, by topic. */
  async publishedTwice(): Promise<Record<string, number>> {
    const topics = [TOPIC.orderResults, TOPIC.orderEvents, TOPIC.fileResults].map(
      (topic) => this.#gondola.prefix + topic,
    );
    let published = 0;
    for (const topic of topics) {
      for (const { high, low } of await this.#admin.fetchTopicOffsets(topic)) published += Number(high) - Number(low);
    }
    const reader = await readTopics(testStack().kafkaBrokers, topics, () => []);
    const records = await reader.waitForRecords((read) => read.length >= published);
    await reader.close();
    return Object.fromEntries(
      topics.map((topic) => {
        const ids = records.filter((record) => record.topic === topic).map(({ key }) => key);
        return [topic.slice(this.#gondola.prefix.length), ids.length - new Set(ids).size];
      }),
    );
  }

  /** Problems that last when nothing changes any more. */
  async lastingProblems(): Promise<string[]> {
    await this.#gondola.context.shop.waitUntilQuiet(ANSWER_LIMIT_MS);
    let problems: string[] = [];
    const areNone = async () => (problems = await this.#problems()).length === 0;
    await waitFor(areNone, { describe: 'equal books' }).catch(() => {});
    return problems;
  }

  /** Differences between the books of the ERP and of the shop, and commands without exactly one outcome. */
  async #problems(): Promise<string[]> {
    const { shop, erp } = this.#gondola.context;
    const ofCommands = this.merchant
      .sent()
      .flatMap(({ commandId, command, orderNumber }) =>
        outcomeProblems(erp.resultsOf(commandId)).map((problem) => `${command} of ${orderNumber}: ${problem}`),
      );
    const ofOrders: string[] = [];
    for (const number of this.orders) {
      const [erps, shops] = [this.merchant.entry(number), shopsEntry(await shop.order(number))];
      ofOrders.push(...(erps === null ? ['unknown'] : differences(erps, shops)).map((each) => `${number}: ${each}`));
    }
    return [...ofCommands, ...ofOrders];
  }
}

async function inShop(play: (shop: RestoredShop, gondola: Gondola, admin: Admin) => Promise<void>): Promise<void> {
  const { kafkaBrokers, databaseUrl } = testStack();
  const admin = new Kafka({ brokers: kafkaBrokers.split(','), logLevel: logLevel.NOTHING }).admin();
  const database = new Client({ connectionString: databaseUrl });
  await Promise.all([admin.connect(), database.connect()]);
  try {
    await testRun('restored', async (gondola) => {
      await loadTheShelf(gondola.context);
      await play(new RestoredShop(gondola, admin, database), gondola, admin);
    });
  } finally {
    await Promise.all([admin.disconnect(), database.end()]);
  }
}

/** Orders that are paid and that the shop does not cancel by itself. */
function plansOf(orders: number): PlannedOrder[] {
  return planDay(3 * orders, drawsOf(SEED))
    .filter(isCalm)
    .slice(0, orders);
}

function isCalm({ fate }: PlannedOrder): boolean {
  return !/by the shop|payment refused|never paid/.test(fate);
}

describe('an installation', () => {
  it('whose PostgreSQL is restored to an earlier point has each command end once, and the ERP agree with the shop (guarantee 3)', async () => {
    await inShop(async (shop, gondola) => {
      const { context } = gondola;
      const [lost, ...plans] = plansOf(4 * ORDERS + 1) as [PlannedOrder, ...PlannedOrder[]];
      const part = (index: number) => plans.slice(index * ORDERS, (index + 1) * ORDERS);
      await shop.live(part(0));
      const underWay = shop.live(part(1));
      const startAfterSnapshot = await shop.stopWithOpenCommands();
      const restoredTo = new Date();
      const restore = await snapshot(
        testStack().databaseUrl,
        OURS.map((app) => shop.schema(app)),
      );
      await startAfterSnapshot();
      await Promise.all([underWay, shop.live(part(2))]);
      const concluded = [...shop.orders];
      const cancelled = await shop.approved(lost);
      const atTheEnd = shop.live(part(3));
      const start = await shop.stopWithOpenCommands(() => shop.cancel(cancelled));
      const callsBefore = (await context.shop.changesOfOrders()).length;

      await restore();
      await shop.run(FORGET_OPEN, restoredTo);
      await shop.readAgain(restoredTo.getTime() - MARGIN_MS);
      await start();
      await shop.caughtUp();
      const startOrderApp = await shop.stop([ORDER_APP]);
      await shop.run(PUBLISH_AGAIN, restoredTo);
      await startOrderApp();
      const repeated = await shop.repeatUnanswered();
      await atTheEnd;
      expect(await shop.lastingProblems()).toEqual([]);
      const isConcluded = (call: string) => concluded.some((number) => call.includes(`/${number}`));
      const again = (await context.shop.changesOfOrders()).slice(callsBefore).filter(isConcluded);
      expect(again).toEqual([]);
      expect(await shop.publishedTwice()).toMatchObject({ [TOPIC.orderResults]: 0, [TOPIC.fileResults]: 0 });
      expect(repeated.length).toBeGreaterThanOrEqual(OPEN);
    });
  });

  it('whose Kafka lost what PostgreSQL has goes on, and is told again what was not read (guarantee 1)', async () => {
    await inShop(async (shop, { context }) => {
      const plans = plansOf(2 * ORDERS);
      await shop.live(plans.slice(0, ORDERS));
      const lostSince = new Date();
      const underWay = shop.live(plans.slice(ORDERS));
      const startOrderApp = await shop.stopOrderAppWithOpenCommands();
      // Notifications of this time are on the topic, and order-command-handler has not read them.
      await context.shop.waitUntilQuiet(ANSWER_LIMIT_MS);
      const start = await shop.stop(OURS.filter((app) => app !== ORDER_APP));

      await shop.loseRecords();
      expect(await shop.missingFacts()).toBeGreaterThan(0);
      await shop.run(SEND_AGAIN, lostSince);
      await Promise.all([start(), startOrderApp()]);
      await shop.repeatUnanswered();
      await underWay;
      expect(await shop.lastingProblems()).toEqual([]);
      expect(await shop.missingFacts()).toBe(0);
    });
  });
});
