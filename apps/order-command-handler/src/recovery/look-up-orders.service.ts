import { LaneWorkers } from '@gondola/messaging/lanes/lane-workers';
import { type ClaimedLane, Lanes, laneText } from '@gondola/messaging/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/run/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { childTraceparent, TRACE_RANDOM_BYTES } from '@gondola/shared/topics/traceparent';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrderFactsRepository } from '../notifications/order-facts.repository.ts';
import { orderLane } from '../orders/order-lane.ts';
import { statusReadingFact } from '../orders/status-reading.ts';
import type { Payload, PayloadAnswer } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { RECOVERY_LANE } from './recovery-lane.ts';
import { pauseMsOf } from './recovery-progress.ts';
import { type Candidate, RecoveryRepository } from './recovery.repository.ts';

type RecoveryTenant = Pick<TenantConfig, 'id' | 'recovery'>;

/** Time and trace of a read. */
interface Asked {
  readonly at: string;
  readonly traceparent: string;
}

/**
 * Mechanism 2 for lost notifications: one step reads one number, and the pause to the next one is the lane's due
 * time. A found order is stored as a read (guarantee 4), and its lane publishes it with the cause `recovered`. All
 * state of a run is in the database, so that it resumes after a kill.
 *
 *   candidate ── found ────────────────────▶ a fact of its order                       found
 *       │ ▲└──── notified meanwhile ───────────────────────────────────────────────▶  known
 *       │ └───── not found: read again later ── as often as the tenant wants ──────▶  given-up
 *       │                   above the newest known number, by a scan ──────────────▶  given-up, until the next scan
 *       └─────── platform away, or paused: the lane waits, and nothing is counted
 */
@Injectable()
export class LookUpOrders implements OnModuleInit {
  readonly #tenants: ReadonlyMap<string, RecoveryTenant>;

  constructor(
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'add' | 'wake'>,
    private readonly lanes: Lanes,
    private readonly recovery: RecoveryRepository,
    private readonly facts: OrderFactsRepository,
    private readonly platform: PlatformAdapter,
    private readonly clock: Clock,
    private readonly randomness: Randomness,
    @Inject(TENANTS) tenants: readonly RecoveryTenant[],
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#tenants = new Map(tenants.map((tenant) => [tenant.id, tenant]));
  }

  onModuleInit(): void {
    this.workers.add({
      kind: RECOVERY_LANE,
      batchSize: 1,
      step: async ([lane], signal) => (lane === undefined ? undefined : this.#step(lane, signal)),
    });
  }

  async #step(lane: ClaimedLane, signal: AbortSignal): Promise<void> {
    const { tenant } = lane;
    const next = await this.recovery.next(tenant);
    if (next === null || next.dueInMs > 0) return this.#sleep(lane, next?.dueInMs ?? null);
    const pausedMs = this.platform.pausedForMs(tenant, 'read-payload');
    if (pausedMs > 0) return this.#sleep(lane, pausedMs);
    const traceparent = childTraceparent(null, this.randomness.bytes(TRACE_RANDOM_BYTES));
    const at = new Date(this.clock.now()).toISOString();
    signal.throwIfAborted();
    const answer = await this.platform.readPayload({ tenant, orderNumber: next.orderNumber }, { signal, traceparent });
    if (answer.kind === 'unavailable') return this.#sleep(lane, answer.retryAfterMs);
    await this.#store(lane, next, answer, { at, traceparent });
  }

  async #sleep(lane: ClaimedLane, inMs: number | null): Promise<void> {
    await this.lanes.finish([lane], async (tx) => {
      await this.recovery.finishRuns(tx, lane.tenant);
      return new Map([[lane.id, inMs === null ? null : { inMs }]]);
    });
  }

  async #store(
    lane: ClaimedLane,
    candidate: Candidate,
    answer: Exclude<PayloadAnswer, { kind: 'unavailable' }>,
    asked: Asked,
  ): Promise<void> {
    const { recovery } = this.#tenants.get(lane.tenant)!;
    const isFound = answer.kind === 'found' && answer.payload.status !== null;
    const isGivenUp = !isFound && (candidate.isReadOnce || candidate.lookups + 1 >= recovery.lookups);
    await this.lanes.finish([lane], async (tx) => {
      if (isFound) await this.#storeFact(tx, lane.tenant, candidate.orderNumber, answer.payload, asked);
      const outcome = isFound ? 'found' : 'given-up';
      await this.recovery.lookedUp(
        tx,
        candidate,
        isFound || isGivenUp ? { outcome } : { againInMs: recovery.lookAgainMs },
      );
      await this.recovery.finishRuns(tx, lane.tenant);
      return new Map([[lane.id, { inMs: pauseMsOf(recovery.callsPerMinute) }]]);
    });
    if (isFound) this.workers.wake();
    const about = { tenant: lane.tenant, orderNumber: candidate.orderNumber };
    if (isFound) this.logger.info(about, 'An order was found whose notifications were lost');
    else if (isGivenUp && !candidate.isReadOnce)
      this.logger.info(about, 'An order number was given up: the platform does not know it');
  }

  async #storeFact(
    tx: Tx,
    tenant: string,
    orderNumber: string,
    { data, status, orderId }: Payload,
    { at, traceparent }: Asked,
  ): Promise<void> {
    const key = orderLane(tenant, orderNumber);
    const laneIds = await this.lanes.wake(tx, [key]);
    const reading = { tenant, orderNumber, status, askedAt: at, known: [], traceparent, payload: { data, orderId } };
    await this.facts.insert(tx, [{ ...statusReadingFact(reading), laneId: laneIds.get(laneText(key))! }]);
  }
}
