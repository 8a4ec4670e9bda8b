import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { logEnd, logSince, tailOf } from '@gondola/local-stack/log-tail';
import { testStack } from '@gondola/local-stack/test-stack';
import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { sized } from '@gondola/local-stack/testing/sized';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { drawsOf } from '@gondola/local-stack/testing/seeded';
import { readByContract } from '@gondola/kafka/testing/read-by-contract';
import { describe, expect, it } from '@jest/globals';
import { loadTheShelf } from '../play/day/load-the-shelf.ts';
import { freshRun } from '../play/fresh-run.ts';
import type { Gondola } from '../play/gondola.ts';
import { Reporter } from '../play/reporter.ts';
import type { DemoContext } from '../play/step.ts';
import { auditOfTheMonth } from './testing/audit-of-the-month.ts';
import { dayFaults } from './testing/day-faults.ts';
import { DayOrders } from './testing/day-orders.ts';
import { planDay, type PlannedOrder } from './testing/day-plan.ts';

const ORDERS = Number(process.env['DAY_ORDERS'] ?? sized(200, 500));
const AT_ONCE = 60;
const SEED = Number(process.env['DAY_SEED'] ?? 1);
const LIMIT_MS = ORDERS * 2_000 + 300_000;
/** Time-out of a call; a late one lands up to three of them later. */
const CALL_MS = 1_000;
/** Enough for calls that are slow on purpose. */
const CALLS_AT_ONCE = 12;

/** Short deadlines, so that silence is concluded within a test. */
const DEADLINES = { commandMs: 4_000, invoiceMs: 15_000, settleMs: 1_500 };
/**
 * One read of a number in one search, since searches follow each other until the day is over; no scans beside them. A
 * read that a fault hits is repeated soon: three faults in a row would otherwise outlast the day.
 */
const RECOVERY = { callsPerMinute: 1_200, lookups: 1, lookAgainMs: 1_000, scanEveryMs: null };
/** Pause between two searches; an order is lost if the ERP misses it at two of them. */
const SEARCH_MS = 2_000;

/**
 * One day on fresh data: the shelf, the orders and their fates under faults, and the final comparison of the books.
 */
class Day extends DayOrders {
  readonly #context: DemoContext;
  /** Kinds of faults that never struck. */
  idleFaults: readonly string[] = [];

  constructor(context: DemoContext) {
    super(context);
    this.#context = context;
  }

  async open(): Promise<void> {
    await loadTheShelf(this.#context);
    await this.#context.shop.bend(...dayFaults(SEED, ORDERS, 3 * CALL_MS));
  }

  /** Handles all orders, some in parallel, and recovers lost notifications until all orders are done. */
  async trade(plans: readonly PlannedOrder[]): Promise<void> {
    let isOver = false;
    const lives = someAtOnce(plans, AT_ONCE, (plan) => this.live(plan)).finally(() => (isOver = true));
    try {
      await Promise.all([lives, this.#lookForLost(() => isOver)]);
    } catch (error) {
      this.merchant.leave();
      throw error;
    }
  }

  /**
   * Ends the faults, waits until late calls have landed, and makes the ERP refresh each order that it or Gondola has
   * otherwise than the shop: its last notification was lost, or said nothing. Gondola would read it by itself, after a
   * pause longer than a test. Then it goes on with those that are not where they should be.
   */
  async close(): Promise<void> {
    const counts = await this.#context.shop.faults();
    const struck = new Set(counts.filter((each) => each.struck > 0).map(({ fault }) => fault.kind));
    this.idleFaults = counts.map(({ fault }) => fault.kind).filter((kind) => !struck.has(kind));
    await this.#context.shop.straighten();
    await this.#context.shop.waitUntilQuiet(ANSWER_LIMIT_MS);
    await someAtOnce([...this.orders.keys()], AT_ONCE, async (order) => {
      if (!(await this.isHadAlike(order))) await this.merchant.refresh(order);
    });
    // The shop put some orders back, and calls that landed late put back others.
    await someAtOnce([...this.orders], AT_ONCE, async ([order, plan]) => {
      if (this.merchant.entry(order) !== null) await this.merchant.goesOn(order, plan);
    });
    await this.#context.shop.waitUntilQuiet(ANSWER_LIMIT_MS);
  }

  async #lookForLost(isOver: () => boolean): Promise<void> {
    const { orders } = this.#context;
    let missing: readonly number[] = [];
    while (!isOver()) {
      await delay(SEARCH_MS);
      const before = new Set(missing);
      missing = this.merchant.missing();
      const lost = missing.filter((order) => before.has(order));
      if (lost.length === 0) continue;
      const { id } = await orders.recover(Math.min(...lost), Math.max(...lost));
      const isFinished = async () => isOver() || (await orders.recovery(id))?.finishedAt != null;
      await waitFor(isFinished, { describe: 'the end of a recovery' });
    }
  }
}

/** Plays a day, and compares the books of all sides at its end. */
async function playDay(gondola: Gondola): Promise<void> {
  const { context, prefix } = gondola;
  const day = new Day(context);
  await day.open();
  await day.trade(planDay(ORDERS, drawsOf(SEED)));
  await day.close();
  let problems: string[] = [];
  const isEqual = async () => (problems = await day.problems()).length === 0;
  await waitFor(isEqual, { describe: 'equal books' }).catch(() => {});
  expect(problems).toEqual([]);
  expect(day.orders.size).toBe(ORDERS);
  expect(day.idleFaults).toEqual([]);
  const { orders, differing } = await auditOfTheMonth(gondola);
  expect(differing).toEqual([]);
  const told = [...day.orders.keys()].filter((order) => day.merchant.entry(order) !== null);
  expect(orders).toBeGreaterThanOrEqual(told.length);
  await readByContract(prefix);
}

/** Adds to a failure the errors that the shop logged, except those that faults demanded. */
async function withErrorsOfTheShop(logDir: string, play: () => Promise<void>): Promise<void> {
  const log = join(logDir, 'platform-sandbox.log');
  const start = await logEnd(log);
  try {
    await play();
  } catch (cause) {
    const lines = (await logSince(log, start)).split('\n');
    const errors = lines.filter((line) => line.includes('"level":"error"') && !line.includes(' on demand"'));
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${message}\n\nErrors in the log of the shop:\n${tailOf(errors.join('\n'))}`, { cause });
  }
}

describe('a day at the shop', () => {
  it(`ends with the books of the ERP, of Gondola and of the shop equal to the cent, under faults of every kind (${ORDERS} orders, seed ${SEED})`, async () => {
    const reporter = new Reporter({ write: () => true, isTTY: false });
    const { kafkaBrokers, databaseUrl } = testStack();
    const logDir = join(import.meta.dirname, '../test-results/whole-day');
    const options = {
      reporter,
      logDir,
      external: { kafkaBrokers, databaseUrl },
      stepTimeoutMs: LIMIT_MS / 2,
      tenant: {
        deadlines: DEADLINES,
        recovery: RECOVERY,
        audit: { readsPerMinute: 60_000 },
        platform: { concurrency: CALLS_AT_ONCE },
      },
      env: {
        CANCEL_READ_MS: '500',
        CANCEL_READ_MAX_MS: '2000',
        LOST_ANSWER_MS: '200',
        PLATFORM_TIMEOUT_MS: String(CALL_MS),
        LOG_LEVEL: 'warn',
      },
    };
    await withErrorsOfTheShop(logDir, () => freshRun(options, playDay));
  });
});
