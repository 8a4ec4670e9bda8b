import type { Commands } from '@gondola/messaging/commands/commands';
import type { Lanes } from '@gondola/messaging/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import { isSameMoney } from '@gondola/shared/units-and-money/money';
import { type PayloadPurpose, withPayload } from '../domain/command-progress.ts';
import { statusOf } from '../domain/order-state.ts';
import { statusReadingFact } from '../domain/status-reading.ts';
import type { LoadedHead, LoadedLane } from './load-order-lanes.ts';
import type { CallOptions, OrderPlatform, Payload } from './order-platform.ts';
import type { FactStore } from './order-stores.ts';

export interface ReadPayloadOptions {
  readonly lanes: Lanes;
  readonly commands: Commands;
  readonly facts: FactStore;
  readonly platform: OrderPlatform;
  readonly now: () => number;
}

/**
 * Asks the platform for an order's payload on behalf of its open command (rules 16–18): what it says of the invoice is
 * kept with the command, and as a fact where it says a price, a status or a GUID that was not known. A reading that was
 * overtaken by a fact is made again.
 */
export class ReadPayload {
  readonly #options: ReadPayloadOptions;

  constructor(options: ReadPayloadOptions) {
    this.#options = options;
  }

  async read(
    loaded: LoadedLane,
    { open, head }: LoadedHead,
    purpose: PayloadPurpose,
    call: CallOptions,
  ): Promise<void> {
    const { lanes, commands, facts, platform, now } = this.#options;
    const { lane, orderNumber, seenFactId } = loaded;
    if (orderNumber === null) throw new Error('Only what names an order can be read');
    const at = new Date(now()).toISOString();
    const answer = await platform.readPayload(orderNumber, call);
    await lanes.finish([lane], async (tx) => {
      if (answer.kind === 'unavailable') {
        await commands.save(tx, [
          { id: open.id, progress: JSON.stringify({ ...head.progress, blocked: answer.cause }) },
        ]);
        return new Map([[lane.id, { inMs: answer.retryAfterMs }]]);
      }
      if (!(await facts.hasNewer(tx, lane.id, seenFactId))) {
        const { price, registered } = answer.kind === 'found' ? answer.payload : { price: null, registered: false };
        const progress = withPayload(head.progress, { purpose, at, kind: answer.kind, price, registered });
        await commands.save(tx, [{ id: open.id, progress: JSON.stringify(progress) }]);
        if (answer.kind === 'found') await this.#keepFact(tx, loaded, answer.payload, { at, orderNumber, call });
      }
      return new Map([[lane.id, { inMs: 0 }]]);
    });
  }

  /** What is known already is no fact: a reading that came late would only seem newer than what follows it. */
  async #keepFact(
    tx: Tx,
    { lane, state, finalPrice }: LoadedLane,
    { data, price, status, orderId }: Payload,
    { at, orderNumber, call }: { at: string; orderNumber: string; call: CallOptions },
  ): Promise<void> {
    const isPriceKnown = price === null || isSameMoney(price, finalPrice ?? undefined);
    const isStatusKnown = status === null || (state !== null && statusOf(state) === status);
    const isOrderKnown = orderId === null || (state?.orderId ?? null) !== null;
    if (isPriceKnown && isStatusKnown && isOrderKnown) return;
    const reading = statusReadingFact({
      tenant: lane.tenant,
      orderNumber,
      status: isStatusKnown ? null : status,
      askedAt: at,
      known: state?.facts ?? [],
      traceparent: call.traceparent,
      payload: { data, orderId },
    });
    await this.#options.facts.insert(tx, [{ ...reading, laneId: lane.id }]);
  }
}
