import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { type ReadPurpose, withRead } from '../domain/command-progress.ts';
import { statusOf } from '../domain/order-state.ts';
import { statusReadingFact } from '../domain/status-reading.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.ts';
import type { CallOptions, OrderPlatform } from './order-platform.ts';
import type { FactStore } from './order-stores.ts';

export interface ReadStatusOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly platform: OrderPlatform;
  readonly now: () => number;
}

/**
 * Asks the platform for an order's status on behalf of its open command. What the reading says is a fact like a
 * notification, if it says anything new (guarantee 4); the next step judges it. A reading that was overtaken by a fact
 * says nothing and is left out.
 */
export class ReadStatus {
  readonly #options: ReadStatusOptions;

  constructor(options: ReadStatusOptions) {
    this.#options = options;
  }

  async read(loaded: LoadedLane, { open, head }: LoadedHead, purpose: ReadPurpose, call: CallOptions): Promise<void> {
    const { lanes, commands, facts, platform, now } = this.#options;
    const { lane, orderNumber, seenFactId } = loaded;
    if (orderNumber === null) throw new Error('Only what names an order can be read');
    const at = new Date(now()).toISOString();
    const answer = await platform.readStatus(orderNumber, call);
    await lanes.finish([lane], async (tx) => {
      if (answer.kind === 'unavailable') {
        await commands.save(tx, [
          { id: open.id, progress: JSON.stringify({ ...head.progress, blocked: answer.cause }) },
        ]);
        return new Map([[lane.id, { inMs: answer.retryAfterMs }]]);
      }
      if (!(await facts.hasNewer(tx, lane.id, seenFactId))) {
        const { status } = answer;
        await commands.save(tx, [
          { id: open.id, progress: JSON.stringify(withRead(head.progress, { purpose, at, status })) },
        ]);
        if (status !== null)
          await this.#keepFact(tx, loaded, orderNumber, { at, status, traceparent: call.traceparent });
      }
      return new Map([[lane.id, { inMs: 0 }]]);
    });
  }

  /** What is known already is no fact: a reading that came late would only seem newer than what follows it. */
  async #keepFact(
    tx: Tx,
    { lane, state }: LoadedLane,
    orderNumber: string,
    { at, status, traceparent }: { at: string; status: number; traceparent: string },
  ): Promise<void> {
    if (state !== null && statusOf(state) === status) return;
    const reading = { tenant: lane.tenant, orderNumber, status, askedAt: at, known: state?.facts ?? [], traceparent };
    await this.#options.facts.insert(tx, [{ ...statusReadingFact(reading), laneId: lane.id }]);
  }
}
