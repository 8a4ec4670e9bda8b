import type { ReadAnswer, Unavailable } from '@gondola/platform-client/answers';
import { LaneWorkers } from '@gondola/lanes/lanes/lane-workers';
import { type ClaimedLane, Lanes, laneText } from '@gondola/lanes/lanes/lanes';
import type { TenantConfig } from '@gondola/service-kit/config/tenants-file';
import type { Tx } from '@gondola/service-kit/database/database';
import { type Logger, LOGGER } from '@gondola/service-kit/logging/logger';
import { Clock } from '@gondola/service-kit/run/clock';
import { TENANTS } from '@gondola/service-kit/config/injected';
import { Randomness } from '@gondola/service-kit/run/randomness';
import { isNotSent } from '@gondola/shared/commands/attempts';
import { tracing } from '@gondola/service-kit/tracing/tracing';
import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { OrderFactsRepository } from '../facts/order-facts.repository.ts';
import { orderLane } from '../facts/order-lane.ts';
import { foundFacts, type Asked } from '../lanes/reading-facts.ts';
import type { Shown } from '../platform/order-calls.ts';
import { PlatformAdapter } from '../platform/platform.adapter.ts';
import { LookAtOrder } from './look-at-order.service.ts';
import { OpenOrdersRepository, type QuietOrder } from './open-orders.repository.ts';
import { afterTurn, isEldestsTurn, nextKind, NO_TURNS, type ReadKind, type ReadTurns } from './read-turns.ts';
import { RECOVERY_LANE } from './recovery-lane.ts';
import { pauseAfterFailure, pauseMsOf } from './recovery-progress.ts';
import { type Candidate, RecoveryRepository } from './recovery.repository.ts';

type RecoveryTenant = Pick<TenantConfig, 'id' | 'recovery'>;

/** The next read: of a number without an order, or of an order of which nothing was heard. */
type Due = { readonly kind: ReadKind; readonly inMs: number } & (
  | { readonly kind: 'scan' | 'operator'; readonly candidate: Candidate }
  | { readonly kind: 'order'; readonly order: QuietOrder }
);

/**
 * Mechanism 2 for lost notifications: one step reads one number, or one open order. All readings of a tenant share one
 * rate, however many replicas there are and whoever wakes the lane. Open orders, numbers of scans and numbers that an
 * operator asked for take turns (`read-turns.ts`), so that a long search delays neither of the others. A reading is
 * stored as a fact (guarantee 4), and its order's lane publishes it with the cause `recovered`. All state is in the
 * database, so that it resumes after a kill.
 *
 *   candidate ── found ────────────────────▶ a fact of its order                       found
 *       │ ▲└──── notified meanwhile ───────────────────────────────────────────────▶  known
 *       │ └───── not found: read again later ── as often as the tenant wants ──────▶  given-up
 *       │                   above the newest known number, by a scan ──────────────▶  given-up, until the next scan
 *       ├─────── the platform fails for this number: counted, later again ─────────▶  unreadable, at the eighth
 *       └─────── platform away, or paused: the lane waits, and nothing is counted
 *
 *   open order ── nothing heard for `quietMs` ──▶ read ── nothing new: twice the pause, up to `quietMaxMs` ──▶ read …
 *       │                                          ├────── something new: a fact of its order, and heard of
 *       │                                          └────── fails: as nothing new
 *       ├── ended, a command under way, or heard of: moved without a read
 *       └── read, and nothing heard for 30 days ──▶ given up, until it is heard of or an operator asks
 *
 * An order of which only a refused payment is known is read as an open one, some times. An order in doubt is read at
 * once, also where quiet ones are not.
 */
@Injectable()
export class LookUpOrders implements OnModuleInit {
  readonly #tenants: ReadonlyMap<string, RecoveryTenant>;
  /** Of each tenant. */
  readonly #turns = new Map<string, ReadTurns>();

  constructor(
    @Inject(LaneWorkers) private readonly workers: Pick<LaneWorkers, 'add' | 'wake'>,
    private readonly lanes: Lanes,
    private readonly recovery: RecoveryRepository,
    private readonly openOrders: OpenOrdersRepository,
    private readonly looks: LookAtOrder,
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
    const { recovery } = this.#tenants.get(tenant)!;
    const due = await this.#next(tenant, recovery);
    if (due === null || due.inMs > 0) return this.#sleep(lane, due?.inMs ?? null);
    const pausedMs = this.platform.pausedForMs(tenant, 'read-payload');
    if (pausedMs > 0) return this.#sleep(lane, pausedMs);
    const waitMs = await this.recovery.takeCall(tenant, pauseMsOf(recovery.callsPerMinute));
    if (waitMs > 0) return this.#sleep(lane, waitMs);
    this.#turns.set(tenant, afterTurn(this.#turnsOf(tenant), due.kind));
    const traceparent = tracing.begin('look up order', this.randomness.bytes);
    const asked = { at: new Date(this.clock.now()).toISOString(), traceparent };
    signal.throwIfAborted();
    if (due.kind === 'order') return this.#lookAt(lane, due.order, { ...asked, signal });
    const { candidate } = due;
    const ref = { tenant, orderNumber: candidate.orderNumber };
    const { calls, ...answer } = await this.platform.readState(ref, { signal, traceparent });
    // A call that a stop ended is no failure, and is made again.
    if (answer.kind === 'unavailable') signal.throwIfAborted();
    if (answer.kind === 'unavailable') return this.#failed(lane, candidate, answer);
    await this.#store(lane, candidate, answer, asked, calls);
  }

  /** The next read, in the future if nothing is due. */
  async #next(tenant: string, { quietMs }: RecoveryTenant['recovery']): Promise<Due | null> {
    const turns = this.#turnsOf(tenant);
    const [candidates, { fewest, eldest }] = await Promise.all([
      this.recovery.next(tenant),
      this.openOrders.next(tenant, quietMs),
    ]);
    const order = isEldestsTurn(turns) ? eldest : (fewest ?? eldest);
    const all: Due[] = [
      ...candidates.map((candidate) => ({ kind: candidate.source, candidate, inMs: candidate.dueInMs })),
      ...(order === null ? [] : [{ kind: 'order', order, inMs: order.dueInMs } as const]),
    ];
    const kind = nextKind(new Set(all.filter(({ inMs }) => inMs <= 0).map((due) => due.kind)), turns);
    return all.find((due) => due.kind === kind) ?? all.toSorted((a, b) => a.inMs - b.inMs)[0] ?? null;
  }

  #turnsOf(tenant: string): ReadTurns {
    return this.#turns.get(tenant) ?? NO_TURNS;
  }

  async #sleep(lane: ClaimedLane, inMs: number | null): Promise<void> {
    await this.lanes.finish(
      [lane],
      () => inMs,
      (tx) => this.recovery.finishRuns(tx, lane.tenant),
    );
  }

  async #lookAt(lane: ClaimedLane, order: QuietOrder, asked: Asked & { signal: AbortSignal }): Promise<void> {
    const { recovery } = this.#tenants.get(lane.tenant)!;
    const look = await this.looks.look(lane.tenant, order, recovery, asked);
    const pauseMs = look.calls * pauseMsOf(recovery.callsPerMinute);
    let isNew = false;
    await this.#finish(lane, pauseMs, async (tx) => void (isNew = await look.save(tx)), look.unavailableMs ?? 0);
    if (isNew) this.workers.wake();
  }

  /**
   * The platform's failure for one number: its due time moves, so that the others pass. A failure of all calls is
   * not the number's, and the lane waits.
   */
  async #failed(lane: ClaimedLane, candidate: Candidate, answer: Unavailable): Promise<void> {
    const { recovery } = this.#tenants.get(lane.tenant)!;
    const pauseMs = pauseMsOf(recovery.callsPerMinute);
    const isTenants = isNotSent(answer);
    const againInMs = pauseAfterFailure(candidate.failures, recovery.lookAgainMs);
    const save = async (tx: Tx): Promise<void> => {
      if (!isTenants) await this.recovery.failed(tx, candidate, againInMs);
      await this.recovery.finishRuns(tx, lane.tenant);
    };
    await this.#finish(lane, pauseMs, save, isTenants ? answer.retryAfterMs : 0);
    if (isTenants || againInMs !== null) return;
    const about = { tenant: lane.tenant, orderNumber: candidate.orderNumber };
    this.logger.warn(about, 'An order number was given up: the platform fails whenever it is read');
  }

  async #store(
    lane: ClaimedLane,
    candidate: Candidate,
    answer: Exclude<ReadAnswer<Shown>, Unavailable>,
    asked: Asked,
    calls: number,
  ): Promise<void> {
    const { recovery } = this.#tenants.get(lane.tenant)!;
    const isFound = answer.kind === 'found';
    const isGivenUp = !isFound && (candidate.isReadOnce || candidate.lookups + 1 >= recovery.lookups);
    await this.#finish(lane, calls * pauseMsOf(recovery.callsPerMinute), async (tx) => {
      if (isFound) await this.#storeFacts(tx, lane.tenant, candidate.orderNumber, answer.value, asked);
      const outcome = isFound ? 'found' : 'given-up';
      await this.recovery.lookedUp(
        tx,
        candidate,
        isFound || isGivenUp ? { outcome } : { againInMs: recovery.lookAgainMs },
      );
      await this.recovery.finishRuns(tx, lane.tenant);
    });
    if (isFound) this.workers.wake();
    const about = { tenant: lane.tenant, orderNumber: candidate.orderNumber };
    if (isFound) this.logger.info(about, 'An order was found whose notifications were lost');
    else if (isGivenUp && !candidate.isReadOnce)
      this.logger.info(about, 'An order number was given up: the platform does not know it');
  }

  /**
   * The pause is stored too: a wake ends the lane's sleep, not the pause. A pause that the platform asks for only makes
   * the lane sleep longer: an operator may end it.
   */
  async #finish(lane: ClaimedLane, pauseMs: number, work: (tx: Tx) => Promise<void>, askedMs = 0): Promise<void> {
    await this.lanes.finish(
      [lane],
      () => Math.max(pauseMs, askedMs),
      async (tx) => {
        await work(tx);
        await this.recovery.pause(tx, lane.tenant, pauseMs);
      },
    );
  }

  async #storeFacts(tx: Tx, tenant: string, orderNumber: string, shown: Shown, asked: Asked): Promise<void> {
    const key = orderLane(tenant, orderNumber);
    const laneIds = await this.lanes.wake(tx, [key]);
    const facts = foundFacts({ tenant, orderNumber }, shown, asked);
    await this.facts.insert(
      tx,
      facts.map((fact) => ({ ...fact, laneId: laneIds.get(laneText(key))! })),
    );
  }
}
