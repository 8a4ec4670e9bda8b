import { ANSWER_LIMIT_MS, waitFor } from '@gondola/local-stack/wait-for';
import { someAtOnce } from '@gondola/local-stack/testing/some-at-once';
import { describe, expect, it } from '@jest/globals';
import { loadTheShelf } from './play/day/load-the-shelf.ts';
import type { Gondola } from './play/gondola.ts';
import type { Fault } from './play/sandbox-client.ts';
import { testRun } from './testing/test-run.ts';

const ORDERS = 1_000;
const AT_ONCE = 24;
const CALLS_PER_MINUTE = 3_000;
const SEED = Number(process.env['WORLD_SEED'] ?? 5);
const READS = '^GET /v1/Orders';
/** Faults of the reads meanwhile: pages, states of some time ago, other forms. */
const EVASIVE: readonly Fault[] = [
  { kind: 'page', route: READS, share: 0.05 },
  { kind: 'lagging-reads', route: READS, share: 0.2, ms: 2_000 },
  { kind: 'reads-1300', route: READS, share: 0.2 },
  { kind: 'status-as-text', route: READS, share: 0.1 },
  { kind: 'null-lists', route: READS, share: 0.05 },
];
/** Scaled: minutes and hours in operation. */
const RECOVERY = {
  callsPerMinute: CALLS_PER_MINUTE,
  quietMs: 3_000,
  // Each look doubles the pause, and one in three meets a fault: an order has a dozen looks before the wait ends.
  quietMaxMs: 48_000,
  scanEveryMs: 3_000,
  scanNumbers: 3_000,
  lookAgainMs: 1_000,
};

const OPTIONS = { tenant: { recovery: RECOVERY, watch: { paidNoticeMs: 1_000 } }, env: { LOG_LEVEL: 'warn' } };

const ITEM = { skuExternalReference: '1078-1', quantity: 2, unitPrice: 18.9 };
const CHANGED = { ...ITEM, unitOfMeasure: 'Un', quantity: 1, price: 18.9, total: 18.9 };

/** How each order ends at the shop, in turn: in preparation, recalculated, ready, shipped, cancelled. */
const FATES = [[400], [400, 'changed'], [400, 500], [400, 500, 600], [400, 750, 800]] as const;

/** Orders of which the ERP's last event says otherwise than the shop. */
async function wrongOrders({ context }: Gondola, numbers: readonly number[]): Promise<number[]> {
  const wrong: number[] = [];
  await someAtOnce(numbers, AT_ONCE, async (number) => {
    const { status, totals } = await context.shop.order(number);
    const events = context.erp.eventsOf(number);
    const last = events.at(-1);
    // Without its 300 an order is not created: somebody is called, unless it is cancelled (rules 7, 8).
    const isCreated = events.some(({ type }) => type === 'OrderApproved');
    const isRight = isCreated
      ? last!.status.code === status && Number(last!.order.totals.total) === totals.total
      : status === 800 || last?.type === 'OrderNeedsAttention';
    if (!isRight) wrong.push(number);
  });
  return wrong;
}

describe(`a shop that loses 5 % of its notifications for good, seed ${SEED}`, () => {
  it(`has the ERP end right about ${ORDERS} orders by reading quiet ones, without a command (rules 5, 7, 8, 9)`, async () => {
    await testRun(
      'lost-notifications',
      async (gondola) => {
        const { shop, erp } = gondola.context;
        await loadTheShelf(gondola.context);
        const lost = { kind: 'webhook-lose', event: 'Order_.*', share: 0.05 };
        await shop.bend(...[lost, ...EVASIVE].map((fault) => ({ ...fault, seed: SEED })));
        const numbers: number[] = [];
        await someAtOnce(
          Array.from({ length: ORDERS }, (_, index) => index),
          AT_ONCE,
          async (index) => {
            const { number } = await shop.playOrder({ items: [ITEM], deliveryType: 'pickup', payment: 'approved' });
            numbers.push(number);
            for (const change of FATES[index % FATES.length]!) {
              if (change === 'changed') await shop.changeOrder(number, { finalOrderPrice: 18.9, items: [CHANGED] });
              else await shop.moveOrder(number, change);
            }
          },
        );
        await shop.waitUntilQuiet(ANSWER_LIMIT_MS);
        const [fault] = await shop.faults();
        expect(fault!.struck).toBeGreaterThan(ORDERS / 20);
        let wrong: number[] = numbers;
        const isRight = async () => (wrong = await wrongOrders(gondola, wrong)).length === 0;
        await waitFor(isRight, { describe: 'equal books' }).catch(() => {});
        expect(wrong.map((number) => [number, erp.eventsOf(number).map(({ type }) => type)])).toEqual([]);
        const reads = await shop.readsOfOrders();
        const minutes = Map.groupBy(reads, ({ at }) => Math.floor(Date.parse(at) / 60_000));
        expect(Math.max(...[...minutes.values()].map((calls) => calls.length))).toBeLessThanOrEqual(CALLS_PER_MINUTE);
      },
      OPTIONS,
    );
  });
});
