import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { CancellationWatch } from '../domain/cancellation-watch.ts';
import { statusOf } from '../domain/order-state.ts';
import { statusReadingFact } from '../domain/status-reading.ts';
import type { LoadedLane } from './load-order-lanes.ts';
import type { CallOptions, OrderPlatform } from './order-platform.ts';
import type { FactStore, OrderStore } from './order-stores.ts';

export interface WatchCancellationOptions {
  readonly lanes: Lanes;
  readonly facts: FactStore;
  readonly orders: OrderStore;
  readonly platform: OrderPlatform;
  readonly now: () => number;
}

/**
 * Reads the status of an order that stays in 750, on behalf of no command. Another status is stored as a fact like a
 * notification (guarantee 4), and ends an open cancel like one. A reading that was overtaken by a fact says nothing and
 * is left out.
 */
export class WatchCancellation {
  readonly #options: WatchCancellationOptions;

  constructor(options: WatchCancellationOptions) {
    this.#options = options;
  }

  async read(loaded: LoadedLane, watch: CancellationWatch, call: CallOptions): Promise<void> {
    const { lanes, facts, orders, platform, now } = this.#options;
    const { lane, orderNumber, state, seenFactId, row } = loaded;
    if (orderNumber === null || row === null) throw new Error('Only an order can be watched');
    const at = new Date(now()).toISOString();
    const answer = await platform.readStatus(orderNumber, call);
    await lanes.finish([lane], async (tx) => {
      if (answer.kind === 'unavailable') return new Map([[lane.id, { inMs: answer.retryAfterMs }]]);
      if (!(await facts.hasNewer(tx, lane.id, seenFactId))) {
        const { status } = answer;
        await orders.save(tx, [{ ...row, watch: { ...watch, at, count: watch.count + 1 } }]);
        if (status !== null && state !== null && status !== statusOf(state)) {
          const about = { tenant: lane.tenant, orderNumber, status, askedAt: at, known: state.facts };
          const fact = statusReadingFact({ ...about, traceparent: call.traceparent });
          await facts.insert(tx, [{ ...fact, laneId: lane.id }]);
        }
      }
      return new Map([[lane.id, { inMs: 0 }]]);
    });
  }
}
