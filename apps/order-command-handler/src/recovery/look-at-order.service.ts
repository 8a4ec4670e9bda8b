import { Commands } from '@gondola/lanes/commands/commands';
import { Lanes } from '@gondola/lanes/lanes/lanes';
import type { Tx } from '@gondola/service-kit/database/database';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { isNotSent } from '@gondola/shared/commands/attempts';
import { ENDED_STATUSES, PAYMENT_APPROVED } from '@gondola/shared/orders/order-statuses';
import { Inject, Injectable } from '@nestjs/common';
import { type LoadedLane, LoadOrderLanes } from '../lanes/load-order-lanes.service.ts';
import { type Asked, newFacts } from '../lanes/reading-facts.ts';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { orderLane } from '../facts/order-lane.ts';
import type { CallOptions } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { OpenOrdersRepository, type QuietOrder } from './open-orders.repository.ts';
import { afterRead, pauseAfterLook } from './quiet-order.ts';

/** A read of an open order, to be saved in the step's transaction. */
export interface Look {
  /** Calls that were made. */
  readonly calls: number;
  /** The tenant's calls wait so long; null if the order itself was read, or failed. */
  readonly unavailableMs: number | null;
  /** Returns true if the reading says anything new. */
  readonly save: (tx: Tx) => Promise<boolean>;
}

const NOTHING = async (): Promise<boolean> => false;

/**
 * Reads an open order of which nothing was heard for a while: its last notification may be lost. The reading is stored
 * as a fact, which its lane publishes with the cause `recovered`. It is dropped if the order was heard of, got a
 * command, or was erased during the read, so that it disturbs no command and never publishes anything older.
 */
@Injectable()
export class LookAtOrder {
  constructor(
    private readonly lanes: Lanes,
    private readonly load: LoadOrderLanes,
    private readonly facts: OrderFactsRepository,
    private readonly openOrders: OpenOrdersRepository,
    private readonly commands: Commands,
    private readonly platform: PlatformAdapter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async look(
    tenant: string,
    order: QuietOrder,
    { quietMs, quietMaxMs }: Pick<TenantConfig['recovery'], 'quietMs' | 'quietMaxMs'>,
    call: CallOptions & Asked,
  ): Promise<Look> {
    const { laneId } = order;
    const key = orderLane(tenant, order.orderNumber);
    const [loaded] = await this.load.load([{ ...key, id: laneId, epoch: '0', failures: 0 }]);
    const later = async (tx: Tx, looks: number): Promise<boolean> => {
      await this.openOrders.lookAgain(tx, order, looks, pauseAfterLook(looks, { quietMs, quietMaxMs }));
      return false;
    };
    const isDoubted = order.looks < 0;
    if (loaded === undefined || !isToBeRead(loaded, isDoubted))
      return { calls: 0, unavailableMs: null, save: (tx) => later(tx, 0) };
    const looks = afterRead(order.looks);
    const { answer, calls } = await this.#read(tenant, order.orderNumber, call);
    if (answer.kind === 'unavailable') {
      call.signal.throwIfAborted();
      // A failure of this order alone moves it, so that the others pass.
      return isNotSent(answer)
        ? { calls, unavailableMs: answer.retryAfterMs, save: NOTHING }
        : { calls, unavailableMs: null, save: (tx) => later(tx, looks) };
    }
    const facts = answer.kind === 'found' ? newFacts(loaded, answer.value, call) : [];
    if (facts.length === 0) return { calls, unavailableMs: null, save: (tx) => later(tx, looks) };
    return {
      calls,
      unavailableMs: null,
      save: async (tx) => {
        await this.lanes.wake(tx, [key]);
        const isDropped = await this.#isOvertaken(tx, loaded);
        if (!isDropped)
          await this.facts.insert(
            tx,
            facts.map((fact) => ({ ...fact, laneId })),
          );
        // A reading that changes the order's view is a sign of life, which its lane stores.
        await later(tx, isDropped ? 0 : looks);
        if (!isDropped && !isDoubted)
          this.logger.info({ tenant, orderNumber: order.orderNumber }, 'A lost notification of an order was recovered');
        return !isDropped;
      },
    };
  }

  async #read(tenant: string, orderNumber: string, call: CallOptions) {
    const { calls, ...answer } = await this.platform.readState({ tenant, orderNumber }, call);
    if (answer.kind === 'found' || answer.kind === 'unavailable') return { answer, calls };
    call.signal.throwIfAborted();
    const read = await this.platform.readStatus({ tenant, orderNumber }, call);
    const value = { payload: null, status: read.kind === 'found' ? read.value : null };
    return { answer: read.kind === 'found' ? ({ kind: 'found', value } as const) : read, calls: calls + 1 };
  }

  /** With the lane locked, the answer holds until `tx` ends. */
  async #isOvertaken(tx: Tx, loaded: LoadedLane): Promise<boolean> {
    const { lane, seenFactId } = loaded;
    if (await this.facts.hasNewer(tx, lane.id, seenFactId)) return true;
    if ((await this.commands.lanesWithOpen(tx, [lane.id])).size > 0) return true;
    return (await this.facts.erasedSince(tx, [loaded])).size > 0;
  }
}

/** A refused payment of an order that is not created may have been followed by a 300. */
function isToBeRead({ row, heads }: LoadedLane, isDoubted: boolean): boolean {
  if (heads.length > 0) return false;
  const { status: published } = row.published;
  if (published !== null) return isDoubted || !ENDED_STATUSES.has(published);
  return row.status !== null && row.status < PAYMENT_APPROVED;
}
